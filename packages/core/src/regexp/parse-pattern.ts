import { parseClass, parseClassEscape, parseEscape } from "./parse-class.js";
import { PatternError } from "./pattern-error.js";
import { member, RuneSet } from "./rune-set.js";
import type { Assertion, Node } from "./syntax-tree.js";

/** RE2's own bound of `{n,m}`, also of the product of nested ones. */
const maxRepeat = 1_000;
/** RE2's own bound of nested groups and repetitions. */
const maxDepth = 1_000;

interface Flags {
  readonly foldCase: boolean;
  readonly dotAll: boolean;
  readonly multiline: boolean;
}

/** An open group: the alternatives that are complete, the one under way, and the flags to return to. */
interface Frame {
  readonly alternatives: Node[];
  parts: Node[];
  readonly flags: Flags;
}

const anyRune = new RuneSet("\\u{0}-\\u{10ffff}");
const notNewline = new RuneSet("\\n", { negated: true });

const simpleEscapes: ReadonlyMap<string, Assertion> = new Map([
  ["A", "text-start"],
  ["z", "text-end"],
  ["b", "word-boundary"],
  ["B", "no-word-boundary"],
]);

/** Reads a pattern in RE2's syntax, as Go's `regexp` does. Throws a {@link PatternError} for what RE2 refuses. */
export function parsePattern(pattern: string): Node {
  return new PatternParser(pattern).parse();
}

class PatternParser {
  readonly #pattern: string;
  #at = 0;
  #flags: Flags = { foldCase: false, dotAll: false, multiline: false };
  readonly #frames: Frame[] = [];
  #frame: Frame = { alternatives: [], parts: [], flags: this.#flags };

  constructor(pattern: string) {
    this.#pattern = pattern;
  }

  parse(): Node {
    /** Where the repetition that was read last begins; undefined when something else came after it. */
    let lastRepeat: number | undefined;
    while (this.#at < this.#pattern.length) {
      const start = this.#at;
      const isRepeat = this.#step(lastRepeat);
      lastRepeat = isRepeat ? (lastRepeat ?? start) : undefined;
    }
    if (this.#frames.length > 0) throw new PatternError("missing closing )", this.#pattern);
    return close(this.#frame);
  }

  /** Reads one item; tells whether it was a repetition. */
  #step(lastRepeat: number | undefined): boolean {
    const character = this.#pattern[this.#at] ?? "";
    switch (character) {
      case "(":
        this.#openGroup();
        return false;
      case ")":
        this.#closeGroup();
        return false;
      case "|":
        this.#at++;
        this.#frame.alternatives.push(concat(this.#frame.parts));
        this.#frame.parts = [];
        return false;
      case "^":
        return this.#assert(this.#flags.multiline ? "line-start" : "text-start", 1);
      case "$":
        return this.#assert(this.#flags.multiline ? "line-end" : "text-end", 1);
      case ".":
        return this.#push({ kind: "rune", set: this.#flags.dotAll ? anyRune : notNewline }, this.#at + 1);
      case "[": {
        const { value: set, end } = parseClass(this.#pattern, this.#at, this.#flags.foldCase);
        return this.#push({ kind: "rune", set }, end);
      }
      case "*":
        return this.#repeat(lastRepeat, this.#at + 1, 0, Number.POSITIVE_INFINITY, false);
      case "+":
        return this.#repeat(lastRepeat, this.#at + 1, 1, Number.POSITIVE_INFINITY, false);
      case "?":
        return this.#repeat(lastRepeat, this.#at + 1, 0, 1, false);
      case "{":
        return this.#counted(lastRepeat);
      case "\\":
        return this.#escape();
      default:
        return this.#literal(this.#pattern.codePointAt(this.#at) ?? 0);
    }
  }

  #push(node: Node, end: number): false {
    this.#frame.parts.push(node);
    this.#at = end;
    return false;
  }

  #assert(what: Assertion, length: number): false {
    return this.#push({ kind: "assert", what }, this.#at + length);
  }

  #literal(rune: number, end = this.#at + (rune > 0xffff ? 2 : 1)): false {
    return this.#push({ kind: "rune", set: new RuneSet(member(rune), { foldCase: this.#flags.foldCase }) }, end);
  }

  #escape(): false {
    const letter = this.#pattern[this.#at + 1] ?? "";
    const assertion = simpleEscapes.get(letter);
    if (assertion !== undefined) return this.#assert(assertion, 2);
    if (letter === "C") throw new PatternError("invalid escape sequence", "\\C");
    if (letter === "Q") return this.#quote();
    const found = parseClassEscape(this.#pattern, this.#at);
    if (found) {
      const set = new RuneSet(found.value, { foldCase: this.#flags.foldCase });
      return this.#push({ kind: "rune", set }, found.end);
    }
    const { value, end } = parseEscape(this.#pattern, this.#at);
    return this.#literal(value, end);
  }

  /** `\Q...\E`: everything between stands for itself. */
  #quote(): false {
    const close = this.#pattern.indexOf("\\E", this.#at + 2);
    const end = close < 0 ? this.#pattern.length : close;
    const quoted = this.#pattern.slice(this.#at + 2, end);
    for (const text of quoted) this.#literal(text.codePointAt(0) ?? 0);
    this.#at = close < 0 ? end : end + 2;
    return false;
  }

  #counted(lastRepeat: number | undefined): boolean {
    const found = /^\{(0|[1-9]\d*)(?:(,)(0|[1-9]\d*)?)?\}/.exec(this.#pattern.slice(this.#at, this.#at + 40));
    if (!found) return this.#literal(0x7b);
    const min = Number(found[1]);
    const max = found[2] === undefined ? min : found[3] === undefined ? Number.POSITIVE_INFINITY : Number(found[3]);
    if (min > maxRepeat || (max !== Number.POSITIVE_INFINITY && (max > maxRepeat || min > max)))
      throw new PatternError("invalid repeat count", found[0]);
    return this.#repeat(lastRepeat, this.#at + found[0].length, min, max, true);
  }

  #repeat(lastRepeat: number | undefined, operatorEnd: number, min: number, max: number, counted: boolean): true {
    const start = this.#at;
    const end = this.#pattern[operatorEnd] === "?" ? operatorEnd + 1 : operatorEnd;
    if (lastRepeat !== undefined)
      throw new PatternError("invalid nested repetition operator", this.#pattern.slice(lastRepeat, end));
    const part = this.#frame.parts.pop();
    const operator = this.#pattern.slice(start, end);
    if (part === undefined) throw new PatternError("missing argument to repetition operator", operator);
    const node: Node = { kind: "repeat", part, min, max, counted };
    if (counted && (min >= 2 || max >= 2) && !isBounded(node, maxRepeat))
      throw new PatternError("invalid repeat count", operator);
    this.#frame.parts.push(node);
    this.#at = end;
    return true;
  }

  #openGroup(): void {
    const named = /^\(\?(?:P<|<)/.exec(this.#pattern.slice(this.#at, this.#at + 4));
    if (named && this.#pattern.length > this.#at + named[0].length) this.#skipName(named[0].length);
    else if (this.#pattern.startsWith("(?", this.#at)) {
      this.#readFlags();
      return;
    } else this.#at++;
    this.#enter();
  }

  #enter(inner: Flags = this.#flags): void {
    if (this.#frames.length >= maxDepth) throw new PatternError("expression nests too deeply", this.#pattern);
    this.#frames.push(this.#frame);
    this.#frame = { alternatives: [], parts: [], flags: this.#flags };
    this.#flags = inner;
  }

  #skipName(prefix: number): void {
    const close = this.#pattern.indexOf(">", this.#at);
    if (close < 0) throw new PatternError("invalid named capture", this.#pattern.slice(this.#at));
    if (!/^\w+$/.test(this.#pattern.slice(this.#at + prefix, close)))
      throw new PatternError("invalid named capture", this.#pattern.slice(this.#at, close + 1));
    this.#at = close + 1;
  }

  /** `(?i)` for the rest of the group, or `(?i:...)` for a group of its own. */
  #readFlags(): void {
    const start = this.#at;
    let flags = this.#flags;
    let on = true;
    let isDangling = false;
    for (let at = start + 2; ; at++) {
      const character = this.#pattern[at];
      const flag = flagNames.get(character ?? "");
      if (flag !== undefined) {
        if (flag !== "greed") flags = { ...flags, [flag]: on };
        isDangling = false;
      } else if (character === "-" && on) {
        on = false;
        isDangling = true;
      } else if ((character === ":" || character === ")") && !isDangling) {
        this.#at = at + 1;
        if (character === ":") this.#enter(flags);
        else this.#flags = flags;
        return;
      } else throw new PatternError("invalid or unsupported Perl syntax", this.#pattern.slice(start, at + 1));
    }
  }

  #closeGroup(): void {
    const outer = this.#frames.pop();
    if (!outer) throw new PatternError("unexpected )", this.#pattern);
    const node = close(this.#frame);
    this.#flags = this.#frame.flags;
    this.#frame = outer;
    this.#push(node, this.#at + 1);
  }
}

// Greediness decides what is captured, not whether something matches.
const flagNames: ReadonlyMap<string, keyof Flags | "greed"> = new Map<string, keyof Flags | "greed">([
  ["i", "foldCase"],
  ["s", "dotAll"],
  ["m", "multiline"],
  ["U", "greed"],
]);

function concat(parts: readonly Node[]): Node {
  const [only] = parts;
  if (only === undefined) return { kind: "empty" };
  return parts.length === 1 ? only : { kind: "concat", parts };
}

function close({ alternatives, parts }: Frame): Node {
  const last = concat(parts);
  return alternatives.length === 0 ? last : { kind: "alternate", parts: [...alternatives, last] };
}

/** Whether the counts of nested repetitions multiply to no more than `limit`. */
function isBounded(node: Node, limit: number): boolean {
  switch (node.kind) {
    case "repeat": {
      if (!node.counted) return isBounded(node.part, limit);
      if (node.max === 0) return true;
      const count = node.max === Number.POSITIVE_INFINITY ? node.min : node.max;
      if (count > limit) return false;
      return isBounded(node.part, count > 0 ? Math.floor(limit / count) : limit);
    }
    case "concat":
    case "alternate":
      return node.parts.every((part) => isBounded(part, limit));
    default:
      return true;
  }
}
