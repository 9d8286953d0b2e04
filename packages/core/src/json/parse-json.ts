import { jsonInteger } from "./json-integer.js";
import type { JsonValue } from "./json-value.js";
import { setOwn } from "./own-property.js";

/**
 * Parses JSON like `JSON.parse`, except that an integer beyond ±(2^53 − 1) that fits into int64 becomes a `bigint`.
 *
 * As in Go's decoder, a literal with a fraction or an exponent is a double, and so is an integer beyond int64. Throws the SyntaxError of
 * `JSON.parse`. Where no such integer occurs, the only extra cost is a scan of every 16th character.
 */
export function parseJson(text: string): JsonValue {
  const value: JsonValue = JSON.parse(text);
  return mayHaveBigint(text) ? parseExactly(text) : value;
}

/** The number of digits of 2^53. */
const minDigits = 16;

/** Whether a run of 16 digits may be an integer. Of 16 characters in a row, one is at an index that is looked at. */
function mayHaveBigint(text: string): boolean {
  for (let at = minDigits - 1; at < text.length; at += minDigits) {
    if (!isDigit(text.charCodeAt(at))) continue;
    let start = at;
    while (isDigit(text.charCodeAt(start - 1))) start--;
    let end = at + 1;
    while (isDigit(text.charCodeAt(end))) end++;
    if (end - start >= minDigits && isDelimited(text, start, end)) return true;
    at = end;
  }
  return false;
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

/** Whether an integer may start and end here. False for most digits in strings, and for fractions and exponents. */
function isDelimited(text: string, start: number, end: number): boolean {
  const before = text.charCodeAt(text[start - 1] === "-" ? start - 2 : start - 1);
  const after = text.charCodeAt(end);
  return (
    (before === 0x3a || before === 0x2c || before === 0x5b || isSpaceOrNone(before)) &&
    (after === 0x2c || after === 0x7d || after === 0x5d || isSpaceOrNone(after))
  );
}

/** Outside the text the code is NaN. */
function isSpaceOrNone(code: number): boolean {
  return !(code > 0x20);
}

const literalEnd = /[\s,\]}]|$/g;

/** Parses valid JSON with a stack of its own, because `JSON.parse` has no limit of depth either. */
function parseExactly(text: string): JsonValue {
  const root: JsonValue[] = [];
  const parents: (JsonValue[] | Record<string, JsonValue>)[] = [];
  let container: JsonValue[] | Record<string, JsonValue> = root;
  let key: string | undefined;
  const add = (value: JsonValue): void => {
    if (Array.isArray(container)) container.push(value);
    else setOwn(container, key ?? "", value);
    key = undefined;
  };
  for (let at = 0; at < text.length; ) {
    const start = at;
    switch (text[start]) {
      case " ":
      case "\t":
      case "\r":
      case "\n":
      case ",":
      case ":":
        at++;
        break;
      case "[":
      case "{": {
        const opened = text[start] === "[" ? [] : {};
        add(opened);
        parents.push(container);
        container = opened;
        at++;
        break;
      }
      case "]":
      case "}":
        container = parents.pop() ?? root;
        at++;
        break;
      case '"': {
        at = endOfString(text, start);
        const string: string = JSON.parse(text.slice(start, at));
        if (key === undefined && !Array.isArray(container)) key = string;
        else add(string);
        break;
      }
      default:
        literalEnd.lastIndex = start;
        at = literalEnd.exec(text)?.index ?? text.length;
        add(parseLiteral(text.slice(start, at)));
    }
  }
  return root[0] ?? null;
}

/** The index after the closing quote of the string that starts at `start`. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); ; end = text.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (text[end - 1 - backslashes] === "\\") backslashes++;
    if (backslashes % 2 === 0) return end + 1;
  }
}

function parseLiteral(literal: string): JsonValue {
  return literal.length >= minDigits && /^-?\d+$/.test(literal) ? jsonInteger(BigInt(literal)) : JSON.parse(literal);
}
