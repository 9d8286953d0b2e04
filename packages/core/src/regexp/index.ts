/**
 * RE2 regular expressions, matched in linear time.
 *
 * @module
 */
export { type CompiledPattern, compilePattern } from "./compile-pattern.js";
