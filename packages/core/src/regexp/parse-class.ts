import { PatternError } from "./pattern-error.js";
import { member, RuneSet } from "./rune-set.js";

const posixClasses: ReadonlyMap<string, string> = new Map([
  ["alnum", "0-9A-Za-z"],
  ["alpha", "A-Za-z"],
  ["ascii", "\\x00-\\x7f"],
  ["blank", "\\t "],
  ["cntrl", "\\x00-\\x1f\\x7f"],
  ["digit", "0-9"],
  ["graph", "!-~"],
  ["lower", "a-z"],
  ["print", " -~"],
  ["punct", "!-\\/:-@\\[-`\\{-~"],
  ["space", "\\t\\n\\v\\f\\r "],
  ["upper", "A-Z"],
  ["word", "0-9A-Za-z_"],
  ["xdigit", "0-9A-Fa-f"],
]);

// JavaScript's own \s and \w with flags are other sets than RE2's.
const perlClasses: ReadonlyMap<string, string> = new Map([
  ["d", "0-9"],
  ["s", "\\t\\n\\f\\r "],
  ["w", "0-9A-Za-z_"],
]);

const controls: ReadonlyMap<string, number> = new Map([
  ["a", 7],
  ["f", 12],
  ["n", 10],
  ["r", 13],
  ["t", 9],
  ["v", 11],
]);

/** Something read from a pattern, and where the rest begins. */
export interface Taken<T> {
  readonly value: T;
  readonly end: number;
}

/** `\d`, `\S`, `\pL`, `\P{Greek}` at `at`, as a member of a class; undefined when there is none. */
export function parseClassEscape(pattern: string, at: number): Taken<string> | undefined {
  if (pattern[at] !== "\\") return undefined;
  const letter = pattern[at + 1] ?? "";
  const perl = perlClasses.get(letter.toLowerCase());
  if (perl !== undefined) return { value: letter === letter.toLowerCase() ? perl : complement(perl), end: at + 2 };
  return letter === "p" || letter === "P" ? parseUnicodeClass(pattern, at) : undefined;
}

function parseUnicodeClass(pattern: string, at: number): Taken<string> {
  let end = at + 3;
  let name = pattern.slice(at + 2, end);
  if (name === "{") {
    const close = pattern.indexOf("}", at);
    if (close < 0) throw new PatternError("invalid character class range", pattern.slice(at));
    end = close + 1;
    name = pattern.slice(at + 3, close);
  }
  const isNegated = (pattern[at + 1] === "P") !== name.startsWith("^");
  const property = propertyOf(name.replace(/^\^/, ""));
  if (property === undefined) throw new PatternError("invalid character class range", pattern.slice(at, end));
  return { value: `\\${isNegated ? "P" : "p"}{${property}}`, end };
}

/** JavaScript's name of a category or a script; undefined when it has none. */
function propertyOf(name: string): string | undefined {
  if (!/^\w+$/.test(name)) return undefined;
  if (name === "Any") return name;
  for (const candidate of [`General_Category=${name}`, `Script=${name}`]) {
    try {
      new RegExp(`\\p{${candidate}}`, "u");
      return candidate;
    } catch {
      // Not a name of that kind.
    }
  }
  return undefined;
}

/** One escaped character: `\n`, `\x41`, `\.`. */
export function parseEscape(pattern: string, at: number): Taken<number> {
  const next = pattern.codePointAt(at + 1);
  if (next === undefined) throw new PatternError("trailing backslash at end of expression", "");
  const letter = String.fromCodePoint(next);
  const end = at + 1 + letter.length;
  const control = controls.get(letter);
  if (control !== undefined) return { value: control, end };
  const octal = /^\\(0[0-7]{0,2}|[1-7][0-7]{1,2})/.exec(pattern.slice(at, at + 4));
  if (octal?.[1] !== undefined) return { value: Number.parseInt(octal[1], 8), end: at + octal[0].length };
  if (letter === "x") return parseHex(pattern, at);
  if (next < 128 && !/[0-9A-Za-z]/.test(letter)) return { value: next, end };
  throw new PatternError("invalid escape sequence", pattern.slice(at, end));
}

function parseHex(pattern: string, at: number): Taken<number> {
  const rest = pattern.slice(at);
  const hex = /^\\x(?:([0-9A-Fa-f]{2})|\{0*([0-9A-Fa-f]{1,6})\})/.exec(rest);
  const value = Number.parseInt(hex?.[1] ?? hex?.[2] ?? "", 16);
  if (hex && value <= 0x10ffff) return { value, end: at + hex[0].length };
  // Go quotes what it had read when it gave up.
  const read = /^\\x(?:\{[0-9A-Fa-f]*.?|..?|)/su.exec(rest)?.[0] ?? "\\x";
  throw new PatternError("invalid escape sequence", read);
}

/** A class in brackets that begins at `start`. */
export function parseClass(pattern: string, start: number, foldCase: boolean): Taken<RuneSet> {
  let at = start + 1;
  const negated = pattern[at] === "^";
  if (negated) at++;
  let members = "";
  for (let first = true; first || pattern[at] !== "]"; first = false) {
    const named = parseNamedClass(pattern, at) ?? parseClassEscape(pattern, at);
    if (named) {
      members += named.value;
      at = named.end;
      continue;
    }
    const from = at;
    const low = parseClassRune(pattern, at, start);
    let high = low;
    at = low.end;
    if (pattern[at] === "-" && pattern[at + 1] !== "]" && at + 1 < pattern.length) {
      high = parseClassRune(pattern, at + 1, start);
      at = high.end;
      if (high.value < low.value) throw new PatternError("invalid character class range", pattern.slice(from, at));
    }
    members += low === high ? member(low.value) : `${member(low.value)}-${member(high.value)}`;
  }
  return { value: new RuneSet(members, { negated, foldCase }), end: at + 1 };
}

function parseClassRune(pattern: string, at: number, start: number): Taken<number> {
  const rune = pattern.codePointAt(at);
  if (rune === undefined) throw new PatternError("missing closing ]", pattern.slice(start));
  return pattern[at] === "\\" ? parseEscape(pattern, at) : { value: rune, end: at + (rune > 0xffff ? 2 : 1) };
}

function parseNamedClass(pattern: string, at: number): Taken<string> | undefined {
  if (!pattern.startsWith("[:", at)) return undefined;
  const close = pattern.indexOf(":]", at + 2);
  if (close < 0) return undefined;
  const negated = pattern[at + 2] === "^";
  const members = posixClasses.get(pattern.slice(at + (negated ? 3 : 2), close));
  if (members === undefined) throw new PatternError("invalid character class range", pattern.slice(at, close + 2));
  return { value: negated ? complement(members) : members, end: close + 2 };
}

/** The members of ASCII classes that a class does not have, and everything beyond ASCII. */
function complement(members: string): string {
  const expression = new RegExp(`[${members}]`, "u");
  let result = "\\u{80}-\\u{10ffff}";
  for (let rune = 0; rune < 128; rune++) if (!expression.test(String.fromCharCode(rune))) result += member(rune);
  return result;
}
