import { goQuote } from "@kubewright/core/json";

/** What the scanner expects next. */
type Expect = "value" | "first-element" | "first-key" | "key" | "colon" | "object-end" | "array-end" | "end";

const whitespace = " \t\r\n";

/** Thrown with the text of the first mistake. */
class Mistake extends Error {}

/**
 * What Go's decoder says of a text that is no JSON: `invalid character 'x' looking for beginning of value`.
 *
 * Finds the first mistake in one pass without recursion. Gives undefined for a text that is JSON.
 */
export function goJsonError(text: string): string | undefined {
  try {
    new Scanner(text).scan();
    return undefined;
  } catch (error) {
    if (error instanceof Mistake) return error.message;
    throw error;
  }
}

class Scanner {
  readonly #text: string;
  #at = 0;
  readonly #open: ("object" | "array")[] = [];

  constructor(text: string) {
    this.#text = text;
  }

  scan(): void {
    let expect: Expect = "value";
    for (;;) {
      while (whitespace.includes(this.#text[this.#at] ?? "x")) this.#at++;
      if (this.#at >= this.#text.length) {
        if (expect === "end") return;
        throw new Mistake("unexpected end of JSON input");
      }
      expect = this.#step(expect, this.#text[this.#at] ?? "");
    }
  }

  #step(expect: Expect, character: string): Expect {
    switch (expect) {
      case "value":
        return this.#value(character);
      case "first-element":
        return character === "]" ? this.#close() : this.#value(character);
      case "first-key":
        if (character === "}") return this.#close();
        return this.#key(character);
      case "key":
        return this.#key(character);
      case "colon":
        if (character !== ":") throw this.#bad("after object key");
        this.#at++;
        return "value";
      case "object-end":
        return this.#continue(character, "}", "key", "after object key:value pair");
      case "array-end":
        return this.#continue(character, "]", "value", "after array element");
      case "end":
        throw this.#bad("after top-level value");
      default:
        return expect satisfies never;
    }
  }

  #continue(character: string, end: string, next: Expect, where: string): Expect {
    if (character === end) return this.#close();
    if (character !== ",") throw this.#bad(where);
    this.#at++;
    return next;
  }

  #key(character: string): Expect {
    if (character !== '"') throw this.#bad("looking for beginning of object key string");
    this.#string();
    return "colon";
  }

  #value(character: string): Expect {
    switch (character) {
      case "{":
      case "[":
        this.#open.push(character === "{" ? "object" : "array");
        this.#at++;
        return character === "{" ? "first-key" : "first-element";
      case '"':
        this.#string();
        return this.#after();
      case "t":
        return this.#literal("true");
      case "f":
        return this.#literal("false");
      case "n":
        return this.#literal("null");
      default:
        if (!/[-0-9]/.test(character)) throw this.#bad("looking for beginning of value");
        this.#number();
        return this.#after();
    }
  }

  #close(): Expect {
    this.#open.pop();
    this.#at++;
    return this.#after();
  }

  #after(): Expect {
    const around = this.#open.at(-1);
    return around === undefined ? "end" : around === "object" ? "object-end" : "array-end";
  }

  #string(): void {
    for (this.#at++; ; this.#at++) {
      const character = this.#text[this.#at];
      if (character === undefined) throw new Mistake("unexpected end of JSON input");
      if (character === '"') break;
      if (character < " ") throw this.#bad("in string literal");
      if (character !== "\\") continue;
      this.#at++;
      const escaped = this.#need();
      if (escaped === "u") {
        for (let count = 0; count < 4; count++) {
          this.#at++;
          if (!/[0-9A-Fa-f]/.test(this.#need())) throw this.#bad("in \\u hexadecimal character escape");
        }
      } else if (!'"\\/bfnrt'.includes(escaped)) throw this.#bad("in string escape code");
    }
    this.#at++;
  }

  #literal(word: string): Expect {
    for (const expected of word) {
      if (this.#need() !== expected) throw this.#bad(`in literal ${word} (expecting '${expected}')`);
      this.#at++;
    }
    return this.#after();
  }

  #number(): void {
    if (this.#text[this.#at] === "-") {
      this.#at++;
      if (!/[0-9]/.test(this.#need())) throw this.#bad("in numeric literal");
    }
    if (this.#text[this.#at] === "0") this.#at++;
    else this.#digits();
    if (this.#text[this.#at] === ".") {
      this.#at++;
      if (!/[0-9]/.test(this.#need())) throw this.#bad("after decimal point in numeric literal");
      this.#digits();
    }
    if (/[eE]/.test(this.#text[this.#at] ?? "")) {
      this.#at++;
      if (/[+-]/.test(this.#need())) this.#at++;
      if (!/[0-9]/.test(this.#need())) throw this.#bad("in exponent of numeric literal");
      this.#digits();
    }
  }

  #digits(): void {
    while (/[0-9]/.test(this.#text[this.#at] ?? "")) this.#at++;
  }

  /** Inside of a word, Go takes the end of the text for a space. */
  #need(): string {
    return this.#text[this.#at] ?? " ";
  }

  #bad(where: string): Mistake {
    const point = this.#text.codePointAt(this.#at);
    const found = point === undefined ? " " : String.fromCodePoint(point);
    return new Mistake(`invalid character ${quoted(found)} ${where}`);
  }
}

function quoted(character: string): string {
  if (character === "'") return "'\\''";
  if (character === '"') return "'\"'";
  // Go reads bytes: of a longer character it has seen the first alone, and takes that for a character.
  const [byte = 0] = Buffer.from(character, "utf8");
  return `'${goQuote(String.fromCharCode(byte)).slice(1, -1)}'`;
}
