import type { RuneSet } from "./rune-set.js";

/** What a place in the text must be, without taking a character. */
export type Assertion = "text-start" | "text-end" | "line-start" | "line-end" | "word-boundary" | "no-word-boundary";

/** A parsed pattern. Groups and greediness are gone: they say what is captured, not what matches. */
export type Node =
  | { readonly kind: "empty" }
  | { readonly kind: "rune"; readonly set: RuneSet }
  | { readonly kind: "assert"; readonly what: Assertion }
  | { readonly kind: "concat"; readonly parts: readonly Node[] }
  | { readonly kind: "alternate"; readonly parts: readonly Node[] }
  /** `max` is Infinity where there is no upper bound; `counted` tells `{n,m}` from the other operators. */
  | {
      readonly kind: "repeat";
      readonly part: Node;
      readonly min: number;
      readonly max: number;
      readonly counted: boolean;
    };
