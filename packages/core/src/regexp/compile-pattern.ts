import { createRequire } from "node:module";

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
    const compiled = engine().compile(pattern);
    return { kind: "pattern", matches: (text) => compiled.test(text) };
  } catch (error) {
    return { kind: "rejected", reason: error instanceof Error ? error.message : String(error) };
  }
}

type Engine = typeof import("re2js").RE2JS;
let loaded: Engine | undefined;

/** Loading takes 14 ms, which only processes that compile a pattern should pay. */
function engine(): Engine {
  loaded ??= (createRequire(import.meta.url)("re2js") as typeof import("re2js")).RE2JS;
  return loaded;
}
