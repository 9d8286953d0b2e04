/**
 * The differential fuzzer: random requests, sent to a real server and to ours, compared.
 *
 * @module
 */
export { type BothDoors, type CaseVerdict, compareCases } from "./compare-case.js";
export { chanceDecided, explanations } from "./explained.js";
export { type FuzzOptions, fuzzPlan } from "./random-case.js";
export { shrinkCase, signature } from "./shrink-case.js";
