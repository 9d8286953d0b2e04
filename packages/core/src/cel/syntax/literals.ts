import { double, type IntValue, intFromBigInt, maxInt, maxUint, minInt } from "../values/number.js";
import { type CelValue, type DoubleValue, UintValue } from "../values/value.js";
import type { TokenKind } from "./lexer.js";

/** What a literal means, or why it means nothing. */
type LiteralResult<T> = { readonly value: T } | { readonly problem: string };

/** The value of a literal token; a number may have a minus before it. */
export function readLiteral(kind: TokenKind, text: string): LiteralResult<CelValue> {
  switch (kind) {
    case "NUM_INT":
      return readInt(text);
    case "NUM_UINT":
      return readUint(text);
    case "NUM_FLOAT":
      return readDouble(text);
    case "STRING":
      return readString(text);
    case "BYTES":
      return readBytes(text);
    case "null":
      return { value: null };
    default:
      return { value: kind === "true" };
  }
}

/** `text` may begin with a minus. */
function readInt(text: string): LiteralResult<IntValue> {
  const negative = text.startsWith("-");
  const magnitude = BigInt(negative ? text.slice(1) : text);
  const value = negative ? -magnitude : magnitude;
  return value < minInt || value > maxInt ? { problem: "invalid int literal" } : { value: intFromBigInt(value) };
}

function readUint(text: string): LiteralResult<UintValue> {
  const value = BigInt(text.slice(0, -1));
  return value > maxUint ? { problem: "invalid uint literal" } : { value: new UintValue(value) };
}

function readDouble(text: string): LiteralResult<DoubleValue> {
  const value = Number(text);
  return Number.isFinite(value) ? { value: double(value) } : { problem: "invalid double literal" };
}

function readString(token: string): LiteralResult<string> {
  const { body, raw } = unquote(token);
  if (raw || !body.includes("\\")) return { value: body };
  let value = "";
  for (let at = 0; at < body.length; ) {
    if (body.charAt(at) !== "\\") {
      value += body.charAt(at++);
      continue;
    }
    const { code, length } = readEscape(body, at);
    if (code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) return { problem: "invalid unicode code point" };
    value += String.fromCodePoint(code);
    at += length;
  }
  return { value };
}

function readBytes(token: string): LiteralResult<Uint8Array> {
  const { body, raw } = unquote(token.slice(1));
  if (raw || !body.includes("\\")) return { value: new TextEncoder().encode(body) };
  const bytes: number[] = [];
  for (let at = 0; at < body.length; ) {
    if (body.charAt(at) !== "\\") {
      const character = String.fromCodePoint(body.codePointAt(at) ?? 0);
      bytes.push(...new TextEncoder().encode(character));
      at += character.length;
      continue;
    }
    if (/[uU]/.test(body.charAt(at + 1))) return { problem: "unable to unescape string" };
    const { code, length } = readEscape(body, at);
    bytes.push(code);
    at += length;
  }
  return { value: Uint8Array.from(bytes) };
}

function unquote(token: string): { readonly body: string; readonly raw: boolean } {
  const raw = /^[rR]/.test(token);
  const quoted = (raw ? token.slice(1) : token).replace(/\r\n?/g, "\n");
  const width = quoted.length >= 6 && /^('''|""")/.test(quoted) ? 3 : 1;
  return { body: quoted.slice(width, -width), raw };
}

const shortEscapes: Readonly<Record<string, number>> = { a: 7, b: 8, f: 12, n: 10, r: 13, t: 9, v: 11 };
const hexDigits: Readonly<Record<string, number>> = { x: 2, X: 2, u: 4, U: 8 };

/** The lexer lets only well-formed escapes through. */
function readEscape(body: string, at: number): { readonly code: number; readonly length: number } {
  const letter = body.charAt(at + 1);
  const short = shortEscapes[letter];
  if (short !== undefined) return { code: short, length: 2 };
  const digits = hexDigits[letter];
  if (digits !== undefined) {
    return { code: Number.parseInt(body.slice(at + 2, at + 2 + digits), 16), length: 2 + digits };
  }
  if (letter >= "0" && letter <= "3") return { code: Number.parseInt(body.slice(at + 1, at + 4), 8), length: 4 };
  return { code: letter.charCodeAt(0), length: 2 };
}
