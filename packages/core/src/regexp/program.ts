import { PatternError } from "./pattern-error.js";
import type { RuneSet } from "./rune-set.js";
import type { Assertion, Node } from "./syntax-tree.js";

/** How many instructions a pattern may become: far more than any real one, few enough to keep a match quick. */
const maxInstructions = 100_000;

/** One step of a nondeterministic machine; numbers are indexes of instructions. */
export type Instruction =
  | { readonly kind: "rune"; readonly set: RuneSet; readonly next: number }
  | { readonly kind: "assert"; readonly what: Assertion; readonly next: number }
  | { readonly kind: "split"; readonly next: number; readonly other: number }
  | { readonly kind: "match" };

/** A pattern as a machine; execution begins at `start`. */
export interface Program {
  readonly instructions: readonly Instruction[];
  readonly start: number;
}

/** Makes the machine of a pattern. Throws a {@link PatternError} where it would be too large. */
export function compileNode(node: Node, pattern: string): Program {
  const instructions: Instruction[] = [{ kind: "match" }];
  const add = (instruction: Instruction): number => {
    if (instructions.length >= maxInstructions) throw new PatternError("expression too large", pattern);
    return instructions.push(instruction) - 1;
  };
  /** Adds what leads to `next` by matching a node, from the end to the beginning; gives where it begins. */
  const emit = (part: Node, next: number): number => {
    switch (part.kind) {
      case "empty":
        return next;
      case "rune":
        return add({ kind: "rune", set: part.set, next });
      case "assert":
        return add({ kind: "assert", what: part.what, next });
      case "concat":
        return part.parts.reduceRight((after, inner) => emit(inner, after), next);
      case "alternate":
        return part.parts
          .map((inner) => emit(inner, next))
          .reduceRight((other, start) => add({ kind: "split", next: start, other }));
      case "repeat":
        return emitRepeat(part, next);
      default:
        return part satisfies never;
    }
  };
  const emitRepeat = ({ part, min, max }: Node & { kind: "repeat" }, next: number): number => {
    let start = next;
    if (max === Number.POSITIVE_INFINITY) {
      // The loop refers to itself: its place is taken before its body is known.
      const loop = add({ kind: "split", next, other: next });
      instructions[loop] = { kind: "split", next: emit(part, loop), other: next };
      start = loop;
    } else
      for (let count = min; count < max; count++) start = add({ kind: "split", next: emit(part, start), other: next });
    for (let count = 0; count < min; count++) start = emit(part, start);
    return start;
  };
  return { start: emit(node, 0), instructions };
}
