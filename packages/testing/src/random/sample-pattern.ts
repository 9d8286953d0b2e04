import { compilePattern } from "@kubewright/core/regexp";
import { pick, type Random } from "./random.js";

/** Maximum number of repetitions beyond the minimum. */
const maxMore = 3;
const attempts = 20;

/**
 * A random string that matches an RE2 pattern.
 *
 * Undefined when none is found: strings are generated part by part, and anchors inside a pattern are only checked afterwards.
 */
export function samplePattern(pattern: string, random: Random): string | undefined {
  const compiled = compilePattern(pattern);
  if (compiled.kind === "rejected") return undefined;
  const make = new SampleParser(pattern).alternatives();
  for (let attempt = 0; attempt < attempts; attempt++) {
    const text = make(random);
    if (compiled.matches(text)) return text;
  }
  return undefined;
}

type Maker = (random: Random) => string;

/** Anchors, word boundaries and flags match the empty string. */
const nothing = /^(?:\^|\$|\\[AzbB]|\(\?[imsU-]+\))/;
const group = /^\((?:\?(?:P?<\w+>|[imsU-]*:))?/;
/** A character class, an escape, or one character. */
const single = /^(?:\[\^?\]?(?:\[:\^?\w+:\]|\\.|[^\]\\])*\]|\\[pP](?:\{[^}]*\}|.)|\\x(?:\{[^}]*\}|..)|\\.|.)/su;
const repeat = /^(?:([*+?])|\{(\d+)(,?)(\d*)\})\??/;

/** Parses an RE2 pattern into functions that generate strings for its parts. */
class SampleParser {
  #rest: string;

  constructor(pattern: string) {
    this.#rest = pattern;
  }

  alternatives(): Maker {
    const branches = [this.#sequence()];
    while (this.#take(/^\|/)) branches.push(this.#sequence());
    return (random) => pick(branches, random)?.(random) ?? "";
  }

  #sequence(): Maker {
    const parts: Maker[] = [];
    while (this.#rest !== "" && !/^[|)]/.test(this.#rest)) {
      const part = this.#part();
      const bounds = this.#bounds();
      parts.push((random) => {
        const count = bounds.min + Math.floor(random() * (bounds.max - bounds.min + 1));
        return Array.from({ length: count }, () => part(random)).join("");
      });
    }
    return (random) => parts.map((part) => part(random)).join("");
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
    return (random) => pick(characters, random) ?? "";
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

const alphanumerics = [..."abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"];
const others = [...Array.from({ length: 0x300 }, (_, code) => String.fromCharCode(code)), "α", "я", "中", "😀"];

/** The characters that an atom matches: alphanumeric ones if it matches any, because most patterns are of names. */
function charactersOf(atom: string): readonly string[] {
  if (!/^[\\[.]/.test(atom)) return [atom];
  const compiled = compilePattern(`^${atom}$`);
  const matching = (from: readonly string[]): string[] =>
    from.filter((character) => compiled.kind === "pattern" && compiled.matches(character));
  const found = matching(alphanumerics);
  return found.length > 0 ? found : matching(others);
}
