/** A mistake in the words of Go's reader. */
export class YamlMistake extends Error {
  /** `line` counts from one; zero for a mistake that has none. */
  constructor(text: string, line: number) {
    super(line === 0 ? text : `line ${line}: ${text}`);
  }
}

/** What ends a line. */
export const lineBreaks = new Set(["\n", "\r", "\u0085", "\u2028", "\u2029"]);

/** A place in a text of YAML, and what stands there. */
export class YamlReader {
  readonly #text: string;
  /** Before which character. */
  at = 0;
  /** From zero, as the column. */
  line = 0;
  column = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** The character here, or further on; empty at the end. */
  char(offset = 0): string {
    return this.#text[this.at + offset] ?? "";
  }

  /** The next characters, fewer at the end. */
  ahead(count: number): string {
    return this.#text.slice(this.at, this.at + count);
  }

  /** Whether a space or a tab stands there. */
  isBlank(offset = 0): boolean {
    const character = this.char(offset);
    return character === " " || character === "\t";
  }

  /** Whether a line or the text ends there. */
  isBreakOrEnd(offset = 0): boolean {
    const character = this.char(offset);
    return character === "" || lineBreaks.has(character);
  }

  /** Whether a word ends there. */
  isGap(offset = 0): boolean {
    return this.isBlank(offset) || this.isBreakOrEnd(offset);
  }

  /** Steps over characters of a line. */
  step(count = 1): void {
    this.at += count;
    this.column += count;
  }

  /** Steps over the end of a line. */
  stepLine(): void {
    this.at += this.char() === "\r" && this.char(1) === "\n" ? 2 : 1;
    this.line++;
    this.column = 0;
  }

  /** A mistake at the place that was reached; in the first line, Go tells no line. */
  mistake(text: string): YamlMistake {
    return new YamlMistake(text, this.line === 0 ? 0 : this.line + 1);
  }

  /** Steps over a comment, up to the end of its line. */
  skipComment(): void {
    if (this.char() === "#") while (!this.isBreakOrEnd()) this.step();
  }

  /** Whether the mark of a document stands here. */
  isDocumentMark(): boolean {
    if (this.column !== 0 || !this.isGap(3)) return false;
    const mark = this.ahead(3);
    return mark === "---" || mark === "...";
  }

  /** The characters of a sort, as many as there are. */
  take(sort: RegExp): string {
    const start = this.at;
    while (this.char() !== "" && sort.test(this.char())) this.step();
    return this.#text.slice(start, this.at);
  }
}
