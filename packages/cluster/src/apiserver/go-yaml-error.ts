import { YamlMistake } from "./go-yaml-reader.js";
import { YamlScanner, type YamlToken, type YamlTokenKind } from "./go-yaml-scanner.js";

/** What is expected next, from the inside out. */
type Expected =
  | "block sequence"
  | "indentless sequence"
  | "block key"
  | "block value"
  | "first in brackets"
  | "in brackets"
  | "pair key"
  | "pair value"
  | "first in braces"
  | "in braces"
  | "braces value";

const refused = /[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u;

/**
 * What Go's reader says of a text that is no YAML: `line 2: did not find expected key`; of one that is, where the first document ends, after
 * which it does not look. Never throws, and takes no more stack for a text that is nested deeper.
 */
export function checkGoYaml(text: string): { readonly why: string } | { readonly end: number } {
  try {
    if (refused.test(text)) throw new YamlMistake("control characters are not allowed", 0);
    return { end: new Grammar(new YamlScanner(text)).check() };
  } catch (error) {
    if (error instanceof YamlMistake) return { why: error.message };
    throw error;
  }
}

/** Which tokens may follow each other. */
class Grammar {
  readonly #scanner: YamlScanner;
  readonly #expected: Expected[] = [];
  readonly #anchors = new Set<string>();
  readonly #handles = new Set(["!", "!!"]);

  constructor(scanner: YamlScanner) {
    this.#scanner = scanner;
  }

  /** Where the first document ends. */
  check(): number {
    if (this.#begin()) {
      this.#node(true, false);
      for (let next = this.#expected.pop(); next !== undefined; next = this.#expected.pop()) this.#expect(next);
    }
    return this.#scanner.end;
  }

  /** Directives and the mark of a document; whether there is anything in it. */
  #begin(): boolean {
    let token = this.#scanner.peek();
    if (token.kind === "end") return false;
    if (token.kind !== "directive" && token.kind !== "---") return true;
    let hasVersion = false;
    for (; token.kind === "directive"; token = this.#next()) {
      const [name = "", handle = ""] = token.name.split(/\s+/);
      if (name === "TAG") {
        this.#handles.add(handle);
        continue;
      }
      if (hasVersion) throw mistakeAt(token, "found duplicate %YAML directive");
      if (handle !== "1.1") throw mistakeAt(token, "found incompatible YAML document");
      hasVersion = true;
    }
    if (token.kind !== "---") throw mistakeAt(token, "did not find expected <document start>");
    return !isOne(this.#next(), "directive", "---", "...", "end");
  }

  /** The token after the next, which is done with. */
  #next(): YamlToken {
    this.#scanner.skip();
    return this.#scanner.peek();
  }

  #node(isBlock: boolean, mayBeIndentless: boolean): void {
    let token = this.#scanner.peek();
    if (token.kind === "alias") {
      if (!this.#anchors.has(token.name)) throw new YamlMistake(`unknown anchor '${token.name}' referenced`, 0);
      return void this.#scanner.skip();
    }
    let isMarked = false;
    for (const kind of token.kind === "tag" ? (["tag", "anchor"] as const) : (["anchor", "tag"] as const)) {
      if (token.kind !== kind) continue;
      if (kind === "anchor") this.#anchors.add(token.name);
      else if (token.name !== "" && !this.#handles.has(token.name))
        throw mistakeAt(token, "found undefined tag handle");
      isMarked = true;
      token = this.#next();
    }
    if (mayBeIndentless && token.kind === "entry") return void this.#expected.push("indentless sequence");
    const inner = token.kind === "scalar" ? undefined : insides[token.kind];
    if (token.kind !== "scalar" && (inner === undefined || (!isBlock && token.kind.startsWith("block")))) {
      if (isMarked) return;
      throw mistakeAt(token, "did not find expected node content");
    }
    this.#scanner.skip();
    if (inner !== undefined) this.#expected.push(inner);
  }

  /** A node, unless one of these stands in its place, and then something else. */
  #nodeUnless(
    none: readonly YamlTokenKind[],
    then: Expected | undefined,
    isBlock: boolean,
    mayBeIndentless = false,
  ): void {
    if (then !== undefined) this.#expected.push(then);
    if (!isOne(this.#scanner.peek(), ...none)) this.#node(isBlock, mayBeIndentless);
  }

  #expect(what: Expected): void {
    const token = this.#scanner.peek();
    switch (what) {
      case "block sequence":
        if (token.kind === "block-end") return void this.#scanner.skip();
        if (token.kind !== "entry") throw mistakeAt(token, "did not find expected '-' indicator");
        this.#scanner.skip();
        return void this.#nodeUnless(["entry", "block-end"], what, true);
      case "indentless sequence":
        if (token.kind !== "entry") return;
        this.#scanner.skip();
        return void this.#nodeUnless(["entry", "key", "value", "block-end"], what, true);
      case "block key":
        if (token.kind === "block-end") return void this.#scanner.skip();
        if (token.kind !== "key") throw mistakeAt(token, "did not find expected key");
        this.#scanner.skip();
        return void this.#nodeUnless(["key", "value", "block-end"], "block value", true, true);
      case "block value":
        if (token.kind !== "value") return void this.#expected.push("block key");
        this.#scanner.skip();
        return void this.#nodeUnless(["key", "value", "block-end"], "block key", true, true);
      case "first in brackets":
      case "in brackets":
        return void this.#inBrackets(token, what === "first in brackets");
      case "pair key": {
        const isEmpty = isOne(token, "value", ",", "]");
        // Go steps over what stands in place of the key, whatever it is.
        if (isEmpty) this.#scanner.skip();
        this.#expected.push("pair value");
        if (!isEmpty) this.#node(false, false);
        return;
      }
      case "pair value":
        if (token.kind !== "value") return;
        this.#scanner.skip();
        return void this.#nodeUnless([",", "]"], undefined, false);
      case "first in braces":
      case "in braces":
        return void this.#inBraces(token, what === "first in braces");
      case "braces value":
        if (token.kind !== "value") return void this.#expected.push("in braces");
        this.#scanner.skip();
        return void this.#nodeUnless([",", "}"], "in braces", false);
      default:
        what satisfies never;
    }
  }

  #inBrackets(first: YamlToken, isFirst: boolean): void {
    const token = this.#afterComma(first, "]", isFirst);
    if (token.kind === "]") return void this.#scanner.skip();
    this.#expected.push("in brackets");
    if (token.kind !== "key") return void this.#node(false, false);
    this.#scanner.skip();
    this.#expected.push("pair key");
  }

  #inBraces(first: YamlToken, isFirst: boolean): void {
    const token = this.#afterComma(first, "}", isFirst);
    if (token.kind === "}") return void this.#scanner.skip();
    if (token.kind !== "key") {
      this.#expected.push("in braces");
      return void this.#node(false, false);
    }
    this.#scanner.skip();
    this.#nodeUnless(["value", ",", "}"], "braces value", false);
  }

  #afterComma(token: YamlToken, end: "]" | "}", isFirst: boolean): YamlToken {
    if (token.kind === end || isFirst) return token;
    if (token.kind !== ",") throw mistakeAt(token, `did not find expected ',' or '${end}'`);
    return this.#next();
  }
}

/** What is expected inside of what a token begins. */
const insides: Partial<Readonly<Record<YamlTokenKind, Expected>>> = {
  "block-sequence": "block sequence",
  "block-mapping": "block key",
  "[": "first in brackets",
  "{": "first in braces",
};

function isOne(token: YamlToken, ...kinds: readonly YamlTokenKind[]): boolean {
  return kinds.includes(token.kind);
}

/** A mistake at the beginning of a token: Go tells the line before it. */
function mistakeAt({ line }: YamlToken, text: string): YamlMistake {
  return new YamlMistake(text, line);
}
