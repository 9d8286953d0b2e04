/**
 * Test data out of definitions, by chance that can be repeated.
 *
 * @module
 */
export { type RandomValueOptions, randomValue } from "./random-value.js";
export { seededRandom } from "./seeded-random.js";
