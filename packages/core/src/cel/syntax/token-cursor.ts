import type { Expr } from "./expr.js";
import type { Token, TokenKind } from "./lexer.js";
import type { Issue, Source } from "./source.js";
import { atOperand, expecting, expectingOneOf, SyntaxIssue } from "./syntax-issue.js";

/** How deep an expression may be nested. */
export const maxDepth = 250;

/** Rules of the grammar whose nesting is limited. */
export type Rule = "expr" | "relation" | "calc" | "member";

/** Walks over tokens, and reports what does not fit. */
export class TokenCursor {
  readonly source: Source;
  readonly tokens: readonly Token[];
  readonly #issues: Issue[];
  /** How deep each rule is nested. */
  readonly depth: Record<Rule, number> = { expr: 0, relation: 0, calc: 0, member: 0 };
  at = 0;
  #open = 0;

  constructor(source: Source, tokens: readonly Token[], issues: Issue[]) {
    this.source = source;
    this.tokens = tokens;
    this.#issues = issues;
  }

  get token(): Token {
    return this.tokens[this.at] as Token;
  }

  get after(): Token {
    return this.tokens[Math.min(this.at + 1, this.tokens.length - 1)] as Token;
  }

  next(): Token {
    const token = this.token;
    if (token.kind !== "EOF") this.at++;
    return token;
  }

  /** Takes a token if it is of this kind. */
  take(kind: TokenKind): boolean {
    if (this.token.kind !== kind) return false;
    this.next();
    return true;
  }

  enter(rule: Rule): void {
    if (++this.depth[rule] > maxDepth) {
      throw new SyntaxIssue(-1, `expression recursion limit exceeded: ${maxDepth}`, "");
    }
  }

  /** Reports an issue after which parsing goes on. */
  problem(offset: number, message: string): Expr {
    this.#issues.push(this.source.issueAt(offset, message));
    return { kind: "literal", value: null, offset };
  }

  /** What stands between brackets, and the closing one. */
  nested<T>(close: ")" | "]" | "}", read: () => T): T {
    this.#open++;
    const value = read();
    if (this.token.kind !== close) {
      const ends = this.token.kind === "EOF" && this.#open === 1;
      throw ends
        ? new SyntaxIssue(this.token.offset, `missing '${close}' at '<EOF>'`)
        : expecting(close, this.token, this.after);
    }
    this.next();
    this.#open--;
    return value;
  }

  /** Takes the colon of an entry and returns its offset. */
  colon(): number {
    if (this.token.kind === ":") return this.next().offset;
    if (atOperand(this.token)) throw new SyntaxIssue(this.token.offset, `missing ':' at '${this.token.text}'`);
    throw expecting(":", this.token, this.after);
  }

  /** Whether a comma follows, and takes it; otherwise the list must end here. */
  comma(close: "]" | "}"): boolean {
    if (this.take(",")) return true;
    if (this.token.kind === close) return false;
    throw expectingOneOf([close, ","], this.token, this.after);
  }

  /** Takes the name after a dot or before the colon of a field. */
  fieldName(prefix: string): Token {
    const token = this.token;
    if (token.kind === "IDENTIFIER") return this.next();
    if (token.kind === "ESC_IDENTIFIER") {
      // Part of cel-go's grammar that Kubernetes does not enable.
      this.problem(token.offset, "unsupported syntax: '`'");
      return this.next();
    }
    if (token.kind === "true" || token.kind === "false" || token.kind === "null") {
      throw new SyntaxIssue(token.offset, `mismatched input '${token.text}' expecting IDENTIFIER`);
    }
    const input = token.kind === "EOF" ? prefix : prefix + token.text;
    throw new SyntaxIssue(token.offset, `no viable alternative at input '${input}'`);
  }
}
