/**
 * The differential fuzzer: sends random requests to a real server and to ours, and compares the responses.
 *
 * @module
 */
export { type Chooser, drawn } from "./chooser.js";
export { type BothClients, type CaseVerdict, compareCases } from "./compare-case.js";
export { chanceDecided, explanations } from "./explained.js";
export { type FuzzOptions, fuzzPlan } from "./random-case.js";
export { shrinkCase, signature } from "./shrink-case.js";
