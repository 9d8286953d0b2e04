/**
 * Regular expressions as RE2 understands them, matched in linear time.
 *
 * @module
 */
export { type CompiledPattern, compilePattern } from "./compile-pattern.js";
