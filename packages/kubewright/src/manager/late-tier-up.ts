import { setFlagsFromString } from "node:v8";

/** As much more than V8's own as an operator at rest sends in days. */
const tieringBudget = 100_000_000;

/**
 * Lets V8 wait longer until it optimises WebAssembly: the HTTP parser of a program that hardly sends anything stays as it was compiled first.
 *
 * Optimising it takes 36 MB in a thread of V8's for a moment, of which the allocator often keeps ten for good: a quarter of all memory of an
 * operator at rest. One with work to do has it optimised after some thousand requests all the same. Must be called before the first connection.
 */
export function lateTierUp(): void {
  setFlagsFromString(`--wasm-tiering-budget=${tieringBudget}`);
}
