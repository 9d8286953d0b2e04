import { Matcher } from "./matcher.js";
import { parsePattern } from "./parse-pattern.js";
import { PatternError } from "./pattern-error.js";
import { compileNode } from "./program.js";

/** A pattern that can be matched, or the reason why it cannot. */
export type CompiledPattern =
  | { readonly kind: "pattern"; matches(text: string): boolean }
  | { readonly kind: "refused"; readonly reason: string };

const cache = new Map<string, CompiledPattern>();
const maxCached = 1_000;

/**
 * Compiles a pattern in RE2's syntax, the dialect of the Kubernetes API server: what RE2 lacks (look-around, back references) is refused
 * in its own words. Matching takes time linear in the text, whatever the pattern: nothing from outside can make it slow.
 */
export function compilePattern(pattern: string): CompiledPattern {
  const known = cache.get(pattern);
  if (known !== undefined) return known;
  const compiled = compile(pattern);
  if (cache.size >= maxCached) cache.clear();
  cache.set(pattern, compiled);
  return compiled;
}

function compile(pattern: string): CompiledPattern {
  try {
    const matcher = new Matcher(compileNode(parsePattern(pattern), pattern));
    return { kind: "pattern", matches: (text) => matcher.matches(text) };
  } catch (error) {
    if (!(error instanceof PatternError)) throw error;
    return { kind: "refused", reason: error.message };
  }
}
