import type { Issue, Source } from "./source.js";

/** The kinds of tokens, in the order of cel-go's grammar, in which its messages list them. */
export const tokenKinds = [
  "==",
  "!=",
  "in",
  "<",
  "<=",
  ">=",
  ">",
  "&&",
  "||",
  "[",
  "]",
  "{",
  "}",
  "(",
  ")",
  ".",
  ",",
  "-",
  "!",
  "?",
  ":",
  "+",
  "*",
  "/",
  "%",
  "true",
  "false",
  "null",
  "NUM_FLOAT",
  "NUM_INT",
  "NUM_UINT",
  "STRING",
  "BYTES",
  "IDENTIFIER",
  "ESC_IDENTIFIER",
] as const;

export type TokenKind = (typeof tokenKinds)[number] | "EOF";

export interface Token {
  readonly kind: TokenKind;
  readonly text: string;
  readonly offset: number;
}

const escapeSequence = "\\\\(?:[abfnrtv\"'\\\\?`]|[0-3][0-7][0-7]|[xX][\\da-fA-F]{2}|u[\\da-fA-F]{4}|U[\\da-fA-F]{8})";
const hidden = /(?:[\t \r\n\f]|\/\/[^\n]*)+/y;
const identifier = /[A-Za-z_][A-Za-z0-9_]*/y;
const escapedIdentifier = /`[A-Za-z0-9_.\-/ ]+`/y;
const float = /(?:\d+\.\d+(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+|\.\d+(?:[eE][+-]?\d+)?)/y;
const integer = /(?:0x[\da-fA-F]+|\d+)[uU]?/y;
const punctuation = /(?:[=!<>]=|&&|\|\||[<>[\]{}().,\-!?:+*/%])/y;
const rawPrefix = /[bB]?[rR](?=["'])/y;
const bytesPrefix = /[bB](?=["'])/y;
/** By quote: what a string may hold, and what ends it. */
const bodies = {
  '"': new RegExp(`(?:${escapeSequence}|[^\\\\"\\n\\r])*`, "y"),
  "'": new RegExp(`(?:${escapeSequence}|[^\\\\'\\n\\r])*`, "y"),
} as const;
const longBody = new RegExp(`(?:${escapeSequence}|[^\\\\])`, "y");

/** Splits a source into tokens, the last of which is EOF. Characters that begin no token become issues and are skipped. */
export function tokenize(source: Source): { readonly tokens: Token[]; readonly issues: Issue[] } {
  const { text } = source;
  const tokens: Token[] = [];
  const issues: Issue[] = [];
  let at = 0;
  while (at < text.length) {
    const skipped = matchAt(hidden, text, at);
    if (skipped !== undefined) {
      at += skipped.length;
      continue;
    }
    const token = readToken(text, at);
    if (token.kind !== "unknown") {
      tokens.push({ kind: token.kind, text: text.slice(at, token.end), offset: at });
      at = token.end;
      continue;
    }
    const failed = text.slice(at, token.end + ((text.codePointAt(token.end) ?? 0) > 0xffff ? 2 : 1));
    issues.push(source.issueAt(at, `Syntax error: token recognition error at: '${failed}'`));
    at += Math.max(failed.length, 1);
  }
  tokens.push({ kind: "EOF", text: "<EOF>", offset: text.length });
  return { tokens, issues };
}

/** A token that ends before `end`, or the offset at which no token can be recognised any more. */
interface Found {
  readonly kind: TokenKind | "unknown";
  readonly end: number;
}

function readToken(text: string, at: number): Found {
  const raw = matchAt(rawPrefix, text, at);
  if (raw !== undefined) {
    const end = rawStringEnd(text, at + raw.length);
    if (end !== undefined) return { kind: raw.length === 2 ? "BYTES" : "STRING", end };
  }
  const bytes = matchAt(bytesPrefix, text, at);
  if (bytes !== undefined) {
    const found = readString(text, at + 1);
    if (found.kind === "STRING") return { kind: "BYTES", end: found.end };
  }
  const word = matchAt(identifier, text, at);
  if (word !== undefined) return { kind: wordKind(word), end: at + word.length };
  const first = text.charAt(at);
  if (first === '"' || first === "'") return readString(text, at);
  const fraction = matchAt(float, text, at);
  if (fraction !== undefined) return { kind: "NUM_FLOAT", end: at + fraction.length };
  const whole = matchAt(integer, text, at);
  if (whole !== undefined) return { kind: /[uU]$/.test(whole) ? "NUM_UINT" : "NUM_INT", end: at + whole.length };
  const sign = matchAt(punctuation, text, at);
  if (sign !== undefined && isKind(sign)) return { kind: sign, end: at + sign.length };
  const escaped = matchAt(escapedIdentifier, text, at);
  if (escaped !== undefined) return { kind: "ESC_IDENTIFIER", end: at + escaped.length };
  return { kind: "unknown", end: /[&|=]/.test(first) ? at + 1 : at };
}

function wordKind(word: string): TokenKind {
  return word === "in" || word === "true" || word === "false" || word === "null" ? word : "IDENTIFIER";
}

function isKind(text: string): text is (typeof tokenKinds)[number] {
  return (tokenKinds as readonly string[]).includes(text);
}

function readString(text: string, at: number): Found {
  const quote = text.charAt(at) === '"' ? '"' : "'";
  const long = quote.repeat(3);
  if (text.startsWith(long, at)) {
    const end = longStringEnd(text, at + 3, long);
    if (end !== undefined) return { kind: "STRING", end };
  }
  const body = matchAt(bodies[quote], text, at + 1) ?? "";
  const end = at + 1 + body.length;
  if (text.charAt(end) === quote) return { kind: "STRING", end: end + 1 };
  return { kind: "unknown", end: text.charAt(end) === "\\" ? end + 1 : end };
}

function longStringEnd(text: string, start: number, quotes: string): number | undefined {
  let at = start;
  while (at < text.length) {
    if (text.startsWith(quotes, at)) return at + 3;
    const one = matchAt(longBody, text, at);
    if (one === undefined) return undefined;
    at += one.length;
  }
  return undefined;
}

function rawStringEnd(text: string, at: number): number | undefined {
  const quote = text.charAt(at);
  const long = quote.repeat(3);
  if (text.startsWith(long, at)) {
    const end = text.indexOf(long, at + 3);
    if (end >= 0) return end + 3;
  }
  const end = text.indexOf(quote, at + 1);
  return end < 0 || /[\n\r]/.test(text.slice(at, end)) ? undefined : end + 1;
}

function matchAt(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
}
