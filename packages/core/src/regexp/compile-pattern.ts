import { RE2JS } from "#re2js";
import { nativePattern } from "./native-pattern.js";

/** A compiled pattern, or the reason why it is rejected. */
export type CompiledPattern =
  | {
      readonly kind: "pattern";
      /** How large the compiled pattern is. Matching may take as long as this times the length of a string. */
      readonly instructions: number;
      matches(text: string): boolean;
      /** What the pattern matches, from left to right, `limit` times at most; as Go, no empty match right after another match. */
      findAll(text: string, limit: number): string[];
    }
  | { readonly kind: "rejected"; readonly reason: string };

/**
 * Compiles a pattern in RE2 syntax, as Go and kube-apiserver do. RE2 rejects look-around and back references.
 * Matching is linear in the length of the string for every pattern.
 */
export function compilePattern(pattern: string): CompiledPattern {
  try {
    // RE2 decides what is valid, also where it does not match.
    const compiled = RE2JS.compile(pattern);
    const native = nativePattern(pattern);
    return {
      kind: "pattern",
      instructions: compiled.programSize(),
      matches: native === undefined ? (text) => compiled.test(text) : (text) => native.test(text),
      findAll(text, limit) {
        const found: string[] = [];
        const matcher = compiled.matcher(text);
        for (let last = -1; found.length < limit && matcher.find(); last = matcher.end()) {
          if (matcher.end() > matcher.start() || matcher.start() !== last) found.push(matcher.group() ?? "");
        }
        return found;
      },
    };
  } catch (error) {
    if (!(error instanceof Error) || !error.name.startsWith("RE2JS")) throw error;
    return { kind: "rejected", reason: error.message };
  }
}
