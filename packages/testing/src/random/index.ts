/**
 * Reproducible random test data that fits a schema.
 *
 * @module
 */
export { type RandomValueOptions, randomValue } from "./random-value.js";
export { seededRandom } from "./seeded-random.js";
