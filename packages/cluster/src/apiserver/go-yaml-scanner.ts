import { type YamlMistake, YamlReader } from "./go-yaml-reader.js";
import { skipBlockScalar, skipPlain, skipQuoted } from "./go-yaml-words.js";

/** What the words of YAML are made into. */
export type YamlTokenKind =
  | "block-sequence"
  | "block-mapping"
  | "block-end"
  | "entry"
  | "key"
  | "value"
  | "["
  | "]"
  | "{"
  | "}"
  | ","
  | "alias"
  | "anchor"
  | "tag"
  | "scalar"
  | "directive"
  | "---"
  | "..."
  | "end";

/** A token, and where it begins. */
export interface YamlToken {
  readonly kind: YamlTokenKind;
  /** From zero. */
  readonly line: number;
  /** Before which character of the text. */
  readonly at: number;
  /** The name of an anchor, an alias or a directive, the handle of a tag. */
  readonly name: string;
}

/** Where something begins. */
type Place = Pick<YamlToken, "line" | "at">;

/** What may turn out to be the key of a map, once a colon follows. */
interface MaybeKey {
  /** The number of its first token. */
  readonly token: number;
  /** There is nothing else that it could be. */
  readonly isRequired: boolean;
  readonly line: number;
  readonly column: number;
  readonly at: number;
}

/** Kubernetes' own limits: how deep a text may be nested, and how long a key may be. */
const maxDepth = 10_000;
const maxKeyLength = 1_024;

/**
 * Splits YAML into tokens as Go's reader does, and finds its mistakes in the same place. Values are not made.
 *
 * Whether a word is a key is known only when a colon follows: until then its tokens are held back.
 */
export class YamlScanner {
  readonly #reader: YamlReader;
  /** The column of the innermost block; -1 outside of all. */
  #indent = -1;
  readonly #indents: number[] = [];
  /** One for each level of brackets, and one outside of them. */
  readonly #keys: (MaybeKey | undefined)[] = [undefined];
  readonly #keyAt = new Map<number, number>();
  /** The number of the last token that may have been a key on a level of brackets, or of the bracket itself. */
  readonly #lastKeys = [0];
  #mayBeKey = true;
  #tokens: YamlToken[] = [];
  #taken = 0;
  #lastBracket = -1;
  #isOver = false;

  constructor(text: string) {
    this.#reader = new YamlReader(text);
  }

  /** The next token, which stays. Throws a {@link YamlMistake}. */
  peek(): YamlToken {
    while (this.#needsMore()) this.#fetch();
    return this.#tokens[0] ?? { kind: "end", line: this.#reader.line, at: this.#reader.at, name: "" };
  }

  /** Takes the next token away. */
  skip(): void {
    const token = this.#tokens.shift();
    if (token?.kind === "]" || token?.kind === "}") this.#lastBracket = token.at;
    this.#taken++;
  }

  /** Where the next token begins: after brackets that were taken, also where they turn out to be a key too late. */
  get end(): number {
    return Math.max(this.peek().at, this.#lastBracket + 1);
  }

  #needsMore(): boolean {
    if (this.#tokens.length === 0) return !this.#isOver;
    const level = this.#keyAt.get(this.#taken);
    return level !== undefined && this.#validKey(level) !== undefined && !this.#isOver;
  }

  get #level(): number {
    return this.#keys.length - 1;
  }

  #push(kind: YamlTokenKind, name = "", start: Place = this.#here): void {
    this.#tokens.push({ kind, ...start, name });
  }

  get #here(): Place {
    return { line: this.#reader.line, at: this.#reader.at };
  }

  /** A key that is still possible; one that must be one and cannot is a mistake. */
  #validKey(level: number): MaybeKey | undefined {
    const key = this.#keys[level];
    if (key === undefined) return undefined;
    if (key.line === this.#reader.line && key.at + maxKeyLength >= this.#reader.at) return key;
    this.#dropKey(level);
    return undefined;
  }

  #dropKey(level: number): void {
    const key = this.#keys[level];
    if (key === undefined) return;
    if (key.isRequired) throw this.#reader.mistake("could not find expected ':'");
    this.#forgetKey(level, key);
  }

  #forgetKey(level: number, key: MaybeKey): void {
    this.#keys[level] = undefined;
    this.#keyAt.delete(key.token);
  }

  #keepKey(): void {
    if (!this.#mayBeKey) return;
    const isRequired = this.#level === 0 && this.#indent === this.#reader.column;
    this.#dropKey(this.#level);
    const token = this.#taken + this.#tokens.length;
    this.#keys[this.#level] = {
      token,
      isRequired,
      line: this.#reader.line,
      column: this.#reader.column,
      at: this.#reader.at,
    };
    this.#keyAt.set(token, this.#level);
    this.#lastKeys[this.#level] = token;
  }

  /** Opens a block at a column, before the token of a number; at the end for none. */
  #open(column: number, kind: "block-sequence" | "block-mapping", { line, at }: Place, token?: number): void {
    if (this.#level > 0 || this.#indent >= column) return;
    this.#indents.push(this.#indent);
    this.#indent = column;
    if (this.#indents.length > maxDepth) throw this.#reader.mistake(`exceeded max depth of ${maxDepth}`);
    this.#insert({ kind, line, at, name: "" }, token);
  }

  /** Puts a token before the one of a number; at the end for none, or for one that was taken. */
  #insert(made: YamlToken, token = -1): void {
    this.#tokens.splice(token < this.#taken ? this.#tokens.length : token - this.#taken, 0, made);
  }

  #close(column: number): void {
    if (this.#level > 0) return;
    for (; this.#indent > column; this.#indent = this.#indents.pop() ?? -1) this.#push("block-end");
  }

  #fetch(): void {
    this.#toNextToken();
    this.#close(this.#reader.column);
    const character = this.#reader.char();
    if (character === "") return void this.#end();
    if (this.#reader.column === 0 && character === "%") return void this.#directive();
    if (this.#reader.isDocumentMark()) return void this.#documentMark();
    const isBlock = this.#level === 0;
    switch (character) {
      case "[":
      case "{":
        return void this.#openBrackets(character);
      case "]":
      case "}":
        return void this.#closeBrackets(character);
      case ",":
        this.#dropKey(this.#level);
        this.#mayBeKey = true;
        return void this.#one(",");
      case "*":
      case "&":
        return void this.#anchor(character === "*" ? "alias" : "anchor");
      case "!":
        return void this.#tag();
      case "'":
      case '"':
        return void this.#word(() => skipQuoted(this.#reader, character));
      case "-":
        return void (this.#reader.isGap(1) ? this.#entry() : this.#word(() => this.#plain()));
      case "?":
        if (!isBlock || this.#reader.isGap(1)) return void this.#key();
        return void this.#word(() => this.#plain());
      case ":":
        if (!isBlock || this.#reader.isGap(1)) return void this.#value();
        return void this.#word(() => this.#plain());
      case "|":
      case ">":
        if (isBlock) return void this.#blockScalar();
        break;
      default:
        if (!/[\s#%@`]/.test(character)) return void this.#word(() => this.#plain());
    }
    throw this.#reader.mistake("found character that cannot start any token");
  }

  #toNextToken(): void {
    for (;;) {
      if (this.#reader.column === 0 && this.#reader.char() === "\ufeff") this.#reader.step();
      // A tab is no indentation: where a key may stand, it is a mistake.
      while (this.#reader.char() === " " || (this.#reader.char() === "\t" && (this.#level > 0 || !this.#mayBeKey)))
        this.#reader.step();
      this.#reader.skipComment();
      if (this.#reader.char() === "" || !this.#reader.isBreakOrEnd()) return;
      this.#reader.stepLine();
      if (this.#level === 0) this.#mayBeKey = true;
    }
  }

  #end(): void {
    if (this.#reader.column !== 0) {
      this.#reader.column = 0;
      this.#reader.line++;
    }
    this.#close(-1);
    this.#dropKey(this.#level);
    this.#mayBeKey = false;
    this.#push("end");
    this.#isOver = true;
  }

  #documentMark(): void {
    this.#close(-1);
    this.#dropKey(this.#level);
    this.#mayBeKey = false;
    this.#push(this.#reader.char() === "-" ? "---" : "...");
    this.#reader.step(3);
  }

  #directive(): void {
    this.#close(-1);
    this.#dropKey(this.#level);
    this.#mayBeKey = false;
    const start = this.#here;
    this.#reader.step();
    const name = this.#reader.take(/[\w-]/);
    if (name === "") throw this.#reader.mistake("could not find expected directive name");
    if (!this.#reader.isGap()) throw this.#reader.mistake("found unexpected non-alphabetical character");
    if (name !== "YAML" && name !== "TAG") throw this.#reader.mistake("found unknown directive name");
    let words = "";
    while (!this.#reader.isBreakOrEnd() && !(this.#reader.char() === "#" && /\s$/.test(words))) {
      words += this.#reader.char();
      this.#reader.step();
    }
    this.#checkDirective(name, words.trim());
    this.#reader.skipComment();
    if (this.#reader.char() !== "") this.#reader.stepLine();
    this.#push("directive", `${name} ${words.trim()}`, start);
  }

  #checkDirective(name: string, words: string): void {
    if (name === "YAML" && !/^\d+\.\d+$/.test(words))
      throw this.#reader.mistake(
        /^\d/.test(words) ? "did not find expected digit or '.' character" : "did not find expected version number",
      );
    if (name === "TAG" && !/^!([\w-]*!)?\s+\S+$/.test(words))
      throw this.#reader.mistake(
        words.startsWith("!") ? "did not find expected whitespace" : "did not find expected '!'",
      );
  }

  #one(kind: YamlTokenKind): void {
    this.#push(kind);
    this.#reader.step();
  }

  #openBrackets(kind: "[" | "{"): void {
    this.#keepKey();
    this.#keys.push(undefined);
    this.#lastKeys.push(this.#taken + this.#tokens.length);
    if (this.#level > maxDepth) throw this.#reader.mistake(`exceeded max depth of ${maxDepth}`);
    this.#mayBeKey = true;
    this.#one(kind);
  }

  #closeBrackets(kind: "]" | "}"): void {
    this.#dropKey(this.#level);
    if (this.#level > 0) {
      this.#keys.pop();
      // Go does not wait to see whether brackets with nothing in them are a key.
      this.#keyAt.delete(this.#lastKeys.pop() ?? 0);
    }
    this.#mayBeKey = false;
    this.#one(kind);
  }

  #entry(): void {
    if (this.#level === 0) {
      if (!this.#mayBeKey) throw this.#reader.mistake("block sequence entries are not allowed in this context");
      this.#open(this.#reader.column, "block-sequence", this.#here);
    }
    this.#dropKey(this.#level);
    this.#mayBeKey = true;
    this.#one("entry");
  }

  #key(): void {
    if (this.#level === 0) {
      if (!this.#mayBeKey) throw this.#reader.mistake("mapping keys are not allowed in this context");
      this.#open(this.#reader.column, "block-mapping", this.#here);
    }
    this.#dropKey(this.#level);
    this.#mayBeKey = this.#level === 0;
    this.#one("key");
  }

  #value(): void {
    const level = this.#level;
    const key = this.#validKey(level);
    if (key) {
      this.#insert({ kind: "key", line: key.line, at: key.at, name: "" }, key.token);
      this.#open(key.column, "block-mapping", key, key.token);
      this.#forgetKey(level, key);
      this.#mayBeKey = false;
    } else {
      if (level === 0) {
        if (!this.#mayBeKey) throw this.#reader.mistake("mapping values are not allowed in this context");
        this.#open(this.#reader.column, "block-mapping", this.#here);
      }
      this.#mayBeKey = level === 0;
    }
    this.#one("value");
  }

  #anchor(kind: "alias" | "anchor"): void {
    this.#keepKey();
    this.#mayBeKey = false;
    const start = this.#here;
    this.#reader.step();
    const name = this.#reader.take(/[\w-]/);
    if (name === "" || !(this.#reader.isGap() || "?:,]}%@`".includes(this.#reader.char())))
      throw this.#reader.mistake("did not find expected alphabetic or numeric character");
    this.#push(kind, name, start);
  }

  #tag(): void {
    this.#keepKey();
    this.#mayBeKey = false;
    const start = this.#here;
    let handle = "";
    this.#reader.step();
    if (this.#reader.char() === "<") {
      this.#reader.step();
      this.#tagAddress(true);
      if (this.#reader.char() !== ">") throw this.#reader.mistake("did not find the expected '>'");
      this.#reader.step();
    } else {
      const word = this.#reader.take(/[\w-]/);
      const isNamed = this.#reader.char() === "!";
      if (isNamed) this.#reader.step();
      this.#tagAddress(isNamed);
      handle = isNamed ? `!${word}!` : "!";
    }
    if (!this.#reader.isGap()) throw this.#reader.mistake("did not find expected whitespace or line break");
    this.#push("tag", handle, start);
  }

  #tagAddress(isRequired: boolean): void {
    const address = this.#reader.take(/[\w\-;/?:@&=+$,.!~*'()[\]%]/);
    if (address === "" && isRequired) throw this.#reader.mistake("did not find expected tag URI");
    if (/%(?![0-9A-Fa-f]{2})/.test(address)) throw this.#reader.mistake("did not find URI escaped octet");
  }

  #plain(): void {
    if (skipPlain(this.#reader, this.#indent, this.#level > 0)) this.#mayBeKey = true;
  }

  #blockScalar(): void {
    this.#dropKey(this.#level);
    this.#mayBeKey = true;
    const start = this.#here;
    skipBlockScalar(this.#reader, this.#indent);
    this.#push("scalar", "", start);
  }

  #word(read: () => void): void {
    this.#keepKey();
    this.#mayBeKey = false;
    const start = this.#here;
    read();
    this.#push("scalar", "", start);
  }
}
