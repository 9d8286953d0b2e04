import { setFlagsFromString } from "node:v8";

/** So much above V8's default that an idle operator takes days to reach it. */
const tieringBudget = 100_000_000;

/**
 * Delays V8's optimisation of WebAssembly: the HTTP parser of a process that sends few requests stays baseline-compiled.
 *
 * Optimising it takes 36 MB in a V8 thread for a moment, of which the allocator often keeps ten: a quarter of the memory of an idle operator. A busy
 * one still has it optimised after some thousand requests. Must be called before the first connection.
 */
export function lateTierUp(): void {
  setFlagsFromString(`--wasm-tiering-budget=${tieringBudget}`);
}
