import { lineBreaks, type YamlReader } from "./go-yaml-reader.js";

const escapes = new Set([..."0abt\tnvfre \"'\\N_LP"]);
const codeLengths: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 };

/** Steps over a text in quotes. */
export function skipQuoted(reader: YamlReader, quote: string): void {
  reader.step();
  for (;;) {
    if (reader.isDocumentMark()) throw reader.mistake("found unexpected document indicator");
    const character = reader.char();
    if (character === "") throw reader.mistake("found unexpected end of stream");
    if (lineBreaks.has(character)) reader.stepLine();
    else if (character === quote && quote === "'" && reader.char(1) === "'") reader.step(2);
    else if (character === quote) break;
    else if (character === "\\" && quote === '"') skipEscape(reader);
    else reader.step();
  }
  reader.step();
}

function skipEscape(reader: YamlReader): void {
  const code = reader.char(1);
  if (code !== "" && lineBreaks.has(code)) {
    reader.step();
    return void reader.stepLine();
  }
  const length = codeLengths[code] ?? 0;
  if (length === 0 && !escapes.has(code)) throw reader.mistake("found unknown escape character");
  reader.step(2);
  const digits = reader.ahead(length);
  if (length > 0 && !new RegExp(`^[0-9A-Fa-f]{${length}}$`).test(digits))
    throw reader.mistake("did not find expected hexdecimal number");
  const point = length > 0 ? Number.parseInt(digits, 16) : 0;
  if ((point >= 0xd800 && point <= 0xdfff) || point > 0x10ffff)
    throw reader.mistake("found invalid Unicode character escape code");
  reader.step(length);
}

/** Steps over words without quotes, inside of a block of this indentation; gives whether a line ended after them. */
export function skipPlain(reader: YamlReader, blockIndent: number, isFlow: boolean): boolean {
  const indent = blockIndent + 1;
  let isAfterBreak = false;
  for (;;) {
    if (reader.isDocumentMark() || reader.char() === "#") break;
    while (!reader.isGap()) {
      const character = reader.char();
      if (character === ":" && reader.isGap(1)) break;
      if (isFlow && ",?[]{}".includes(character)) break;
      isAfterBreak = false;
      reader.step();
    }
    if (reader.char() === "" || !reader.isGap()) break;
    while (reader.char() !== "" && reader.isGap()) {
      if (!reader.isBlank()) {
        reader.stepLine();
        isAfterBreak = true;
        continue;
      }
      if (isAfterBreak && reader.column < indent && reader.char() === "\t")
        throw reader.mistake("found a tab character that violates indentation");
      reader.step();
    }
    if (!isFlow && reader.column < indent) break;
  }
  return isAfterBreak;
}

/** Steps over a text that is a block of lines, inside of a block of this indentation. */
export function skipBlockScalar(reader: YamlReader, blockIndent: number): void {
  reader.step();
  const header = reader.take(/[-+0-9]/);
  const [, zero, digit = ""] = /^[-+]?(?:(0)|([1-9]))?/.exec(header) ?? [];
  if (zero !== undefined) throw reader.mistake("found an indentation indicator equal to 0");
  reader.take(/[ \t]/);
  reader.skipComment();
  if (!/^([-+]?[1-9]?|[1-9][-+])$/.test(header) || !reader.isBreakOrEnd())
    throw reader.mistake("did not find expected comment or line break");
  if (reader.char() !== "") reader.stepLine();
  let indent = digit === "" ? 0 : Math.max(blockIndent, 0) + Number(digit);
  indent = skipBlankLines(reader, blockIndent, indent);
  while (reader.column === indent && reader.char() !== "") {
    while (!reader.isBreakOrEnd()) reader.step();
    if (reader.char() === "") break;
    reader.stepLine();
    skipBlankLines(reader, blockIndent, indent);
  }
}

/** Steps over lines without text, and into the next; gives the indentation, found where it is not known. */
function skipBlankLines(reader: YamlReader, blockIndent: number, indent: number): number {
  let widest = 0;
  for (;;) {
    while ((indent === 0 || reader.column < indent) && reader.char() === " ") reader.step();
    widest = Math.max(widest, reader.column);
    if ((indent === 0 || reader.column < indent) && reader.char() === "\t")
      throw reader.mistake("found a tab character where an indentation space is expected");
    if (reader.char() === "" || !reader.isBreakOrEnd()) break;
    reader.stepLine();
  }
  return indent === 0 ? Math.max(widest, blockIndent + 1, 1) : indent;
}
