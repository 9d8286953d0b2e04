import { RE2JS } from "#re2js";

/** A pattern that can be matched, or the reason why it is rejected. */
export type CompiledPattern =
  | { readonly kind: "pattern"; matches(text: string): boolean }
  | { readonly kind: "rejected"; readonly reason: string };

/**
 * Compiles a pattern in RE2's syntax, which is that of Go and so of kube-apiserver. RE2 rejects look-around and back references.
 * Matching takes time linear in the string, whatever the pattern: no request can make it slow.
 */
export function compilePattern(pattern: string): CompiledPattern {
  try {
    const compiled = RE2JS.compile(pattern);
    return { kind: "pattern", matches: (text) => compiled.test(text) };
  } catch (error) {
    if (!(error instanceof Error) || !error.name.startsWith("RE2JS")) throw error;
    return { kind: "rejected", reason: error.message };
  }
}
