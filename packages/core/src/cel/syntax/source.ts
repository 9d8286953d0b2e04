/** One problem of an expression, at a place in its source. */
export interface Issue {
  /** Counted from 1; -1 where the problem is the whole expression. */
  readonly line: number;
  /** In code points, counted from 1; 0 where the problem is the whole expression. */
  readonly column: number;
  readonly message: string;
}

const maxIssues = 100;
const maxSnippetLength = 16_384;

/** The string an expression was written as: turns offsets into lines and columns, and issues into cel-go's report. */
export class Source {
  readonly text: string;
  readonly #lineStarts: number[] = [0];

  constructor(text: string) {
    this.text = text;
    for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) this.#lineStarts.push(at + 1);
  }

  /** An issue at an offset in UTF-16 units; a negative offset means the whole expression. */
  issueAt(offset: number, message: string): Issue {
    if (offset < 0) return { line: -1, column: 0, message };
    let line = 1;
    while (line < this.#lineStarts.length && (this.#lineStarts[line] ?? 0) <= offset) line++;
    const start = this.#lineStarts[line - 1] ?? 0;
    return { line, column: countCodePoints(this.text.slice(start, offset)) + 1, message };
  }

  /** The issues by position, each as `ERROR: <input>:1:5: message` above the line and a caret. */
  format(issues: readonly Issue[]): string {
    const sorted = issues.slice(0, maxIssues).sort((a, b) => a.line - b.line || a.column - b.column);
    const lines = sorted.map((issue) => this.#formatOne(issue));
    if (issues.length > maxIssues) lines.push(`${issues.length - maxIssues} more errors were truncated`);
    return lines.join("\n");
  }

  #formatOne({ line, column, message }: Issue): string {
    const head = `ERROR: <input>:${line}:${column}: ${message}`;
    const start = this.#lineStarts[line - 1];
    if (start === undefined || this.text === "") return head;
    const end = this.#lineStarts[line];
    const snippet = this.text.slice(start, end === undefined ? undefined : end - 1).replaceAll("\t", " ");
    if (Buffer.byteLength(snippet) > maxSnippetLength) return head;
    const characters = [...snippet];
    const dots = characters.slice(0, column - 1).map((one) => (isWide(one) ? "\uff0e" : "."));
    const caret = isWide(characters[column - 1] ?? "") ? "\uff3e" : "^";
    return `${head}\n | ${snippet}\n | ${dots.join("")}${caret}`;
  }
}

function isWide(character: string): boolean {
  return (character.codePointAt(0) ?? 0) > 0x7f;
}

/** The length of a string as CEL counts it. */
export function countCodePoints(text: string): number {
  // V8 answers at once for strings of Latin-1, however long they are.
  if (text.length > 64 && !/[\ud800-\udbff]/.test(text)) return text.length;
  let count = text.length;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit >= 0xd800 && unit < 0xdc00) {
      const next = text.charCodeAt(index + 1);
      if (next >= 0xdc00 && next < 0xe000) {
        count--;
        index++;
      }
    }
  }
  return count;
}
