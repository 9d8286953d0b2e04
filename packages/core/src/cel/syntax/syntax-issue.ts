import { type Token, type TokenKind, tokenKinds } from "./lexer.js";

/** Thrown inside the parser at the first token that fits no rule. */
export class SyntaxIssue {
  readonly offset: number;
  readonly message: string;

  constructor(offset: number, message: string, prefix = "Syntax error: ") {
    this.offset = offset;
    this.message = prefix + message;
  }
}

const operandKinds: ReadonlySet<TokenKind> = new Set<TokenKind>([
  "[",
  "{",
  "(",
  ".",
  "-",
  "!",
  "true",
  "false",
  "null",
  "NUM_FLOAT",
  "NUM_INT",
  "NUM_UINT",
  "STRING",
  "BYTES",
  "IDENTIFIER",
]);

/** Whether a token may begin an operand. */
export function atOperand(token: Token): boolean {
  return operandKinds.has(token.kind);
}

/** `token` begins no operand and is none of `others` either. */
export function atOperandOr(others: readonly TokenKind[], token: Token, after: Token): SyntaxIssue {
  return unexpected(new Set([...operandKinds, ...others]), token, after);
}

/** `token` is not the one that must come here. */
export function expecting(kind: TokenKind, token: Token, after: Token): SyntaxIssue {
  return unexpected(new Set([kind]), token, after);
}

export function expectingOneOf(kinds: readonly TokenKind[], token: Token, after: Token): SyntaxIssue {
  return unexpected(new Set(kinds), token, after);
}

/** A token is extraneous when the one after it would fit. */
function unexpected(expected: ReadonlySet<TokenKind>, token: Token, after: Token): SyntaxIssue {
  const fits = token.kind !== "EOF" && expected.has(after.kind);
  const names = [
    ...tokenKinds.filter((kind) => expected.has(kind)).map(nameOf),
    ...(expected.has("EOF") ? ["<EOF>"] : []),
  ];
  const list = names.length === 1 ? names[0] : `{${names.join(", ")}}`;
  const text = token.text.replaceAll("\n", "\\n").replaceAll("\r", "\\r").replaceAll("\t", "\\t");
  return new SyntaxIssue(token.offset, `${fits ? "extraneous" : "mismatched"} input '${text}' expecting ${list}`);
}

function nameOf(kind: TokenKind): string {
  return /^[A-Z]/.test(kind) ? kind : `'${kind}'`;
}
