import { compilePattern } from "@kubewright/core/regexp";
import { type Chance, pick } from "./chance.js";

/** How often a part that repeats without limit is repeated at most, beyond its minimum. */
const maxMore = 3;
const attempts = 20;

/**
 * A random string that a pattern of RE2 matches. The same `chance` gives the same string.
 *
 * Undefined where none is found: strings are made part by part, and anchors inside of a pattern are only checked afterwards.
 */
export function samplePattern(pattern: string, chance: Chance): string | undefined {
  const compiled = compilePattern(pattern);
  if (compiled.kind === "rejected") return undefined;
  const make = new SampleParser(pattern).alternatives();
  for (let attempt = 0; attempt < attempts; attempt++) {
    const text = make(chance);
    if (compiled.matches(text)) return text;
  }
  return undefined;
}

type Maker = (chance: Chance) => string;

/** Anchors, word boundaries and flags add nothing to the string. */
const nothing = /^(?:\^|\$|\\[AzbB]|\(\?[imsU-]+\))/;
const group = /^\((?:\?(?:P?<\w+>|[imsU-]*:))?/;
/** A class, an escape, or one character. */
const single = /^(?:\[\^?\]?(?:\[:\^?\w+:\]|\\.|[^\]\\])*\]|\\[pP](?:\{[^}]*\}|.)|\\x(?:\{[^}]*\}|..)|\\.|.)/su;
const repeat = /^(?:([*+?])|\{(\d+)(,?)(\d*)\})\??/;

/** Reads a pattern that RE2 accepts into functions that make strings for its parts. */
class SampleParser {
  #rest: string;

  constructor(pattern: string) {
    this.#rest = pattern;
  }

  alternatives(): Maker {
    const branches = [this.#sequence()];
    while (this.#take(/^\|/)) branches.push(this.#sequence());
    return (chance) => pick(branches, chance)?.(chance) ?? "";
  }

  #sequence(): Maker {
    const parts: Maker[] = [];
    while (this.#rest !== "" && !/^[|)]/.test(this.#rest)) {
      const part = this.#part();
      const bounds = this.#bounds();
      parts.push((chance) => {
        const count = bounds.min + Math.floor(chance() * (bounds.max - bounds.min + 1));
        return Array.from({ length: count }, () => part(chance)).join("");
      });
    }
    return (chance) => parts.map((part) => part(chance)).join("");
  }

  #part(): Maker {
    if (this.#take(nothing)) return () => "";
    if (this.#take(group)) {
      const inner = this.alternatives();
      this.#take(/^\)/);
      return inner;
    }
    const atom = this.#take(single)?.[0] ?? "";
    const characters = charactersOf(atom);
    return (chance) => pick(characters, chance) ?? "";
  }

  #bounds(): { readonly min: number; readonly max: number } {
    const found = this.#take(repeat);
    if (!found) return { min: 1, max: 1 };
    const [, sign, least, comma, most] = found;
    const min = sign === undefined ? Number(least) : sign === "+" ? 1 : 0;
    const max = sign === "?" ? 1 : sign === undefined && comma === "" ? min : Number(most || min + maxMore);
    return { min, max: Math.min(max, min + maxMore) };
  }

  #take(expression: RegExp): RegExpExecArray | undefined {
    const found = expression.exec(this.#rest);
    if (!found) return undefined;
    this.#rest = this.#rest.slice(found[0].length);
    return found;
  }
}

const plain = [..."abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"];
const others = [...Array.from({ length: 0x300 }, (_, code) => String.fromCharCode(code)), "α", "я", "中", "😀"];

/** The characters that an atom matches: letters and digits where it matches any, because patterns of names ask for them. */
function charactersOf(atom: string): readonly string[] {
  if (!/^[\\[.]/.test(atom)) return [atom];
  const compiled = compilePattern(`^${atom}$`);
  const matching = (from: readonly string[]): string[] =>
    from.filter((character) => compiled.kind === "pattern" && compiled.matches(character));
  const found = matching(plain);
  return found.length > 0 ? found : matching(others);
}
