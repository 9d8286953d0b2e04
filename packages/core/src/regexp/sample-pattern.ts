import { compilePattern } from "./compile-pattern.js";
import { parsePattern } from "./parse-pattern.js";
import type { RuneSet } from "./rune-set.js";
import type { Node } from "./syntax-tree.js";

/** How often a part that may repeat without end is repeated at most, beyond what it must be. */
const maxMore = 3;
const maxLength = 10_000;
const attempts = 20;

/**
 * A text that a pattern matches, by chance. `random` gives numbers from 0 up to 1: the same numbers give the same text.
 *
 * Undefined where none is found, and for a pattern that RE2 refuses: texts are made part by part, and what a pattern says of places
 * (`\b`, `^` in the middle) is only looked at afterwards.
 */
export function sampleText(pattern: string, random: () => number): string | undefined {
  const compiled = compilePattern(pattern);
  if (compiled.kind === "refused") return undefined;
  const node = parsePattern(pattern);
  for (let attempt = 0; attempt < attempts; attempt++) {
    const runes: number[] = [];
    write(node, random, runes);
    const text = String.fromCodePoint(...runes.slice(0, maxLength));
    if (compiled.matches(text)) return text;
  }
  return undefined;
}

function write(node: Node, random: () => number, runes: number[]): void {
  if (runes.length > maxLength) return;
  switch (node.kind) {
    case "empty":
    case "assert":
      return;
    case "rune": {
      const rune = runeOf(node.set, random);
      if (rune !== undefined) runes.push(rune);
      return;
    }
    case "concat":
      for (const part of node.parts) write(part, random, runes);
      return;
    case "alternate": {
      const part = node.parts[Math.floor(random() * node.parts.length)];
      if (part) write(part, random, runes);
      return;
    }
    case "repeat": {
      const most = Math.min(node.max, node.min + maxMore);
      const count = node.min + Math.floor(random() * (most - node.min + 1));
      for (let index = 0; index < count; index++) write(node.part, random, runes);
      return;
    }
    default:
      node satisfies never;
  }
}

/** Plain characters first: letters and digits are what patterns of names ask for. */
function runeOf(set: RuneSet, random: () => number): number | undefined {
  const plain = [...range(0x61, 0x7a), ...range(0x30, 0x39), ...range(0x41, 0x5a)].filter((rune) => set.has(rune));
  const found = plain.length > 0 ? plain : [...range(0x20, 0x7e), ...range(0x09, 0x0d)].filter((rune) => set.has(rune));
  if (found.length > 0) return found[Math.floor(random() * found.length)];
  return range(0, 0x2fff).find((rune) => set.has(rune));
}

function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}
