import { type ElementReader, readList, readMap, readStruct } from "./aggregates.js";
import type { Expr } from "./expr.js";
import { ExprDepths } from "./expr-depths.js";
import { type Token, type TokenKind, tokenize } from "./lexer.js";
import { readLiteral } from "./literals.js";
import { MacroError, type Macros } from "./macros.js";
import { countCodePoints, type Issue, Source } from "./source.js";
import { atOperand, atOperandOr, expecting, SyntaxIssue } from "./syntax-issue.js";
import { TokenCursor } from "./token-cursor.js";
import { childrenOf } from "./walk.js";

/** What a parser accepts beyond the core grammar. */
export interface ParseOptions {
  readonly macros: Macros;
  /** `a.?b`, `a[?b]`, `[?a]` and `{?a: b}`. */
  readonly optionalSyntax: boolean;
}

export interface Parsed {
  readonly source: Source;
  /** Undefined when there are issues. */
  readonly expr: Expr | undefined;
  readonly issues: readonly Issue[];
}

const maxCodePoints = 100_000;
const reserved: ReadonlySet<string> = new Set(
  "as break const continue else for function if import let loop package namespace return var void while".split(" "),
);
const relations: readonly TokenKind[] = ["<", "<=", ">=", ">", "==", "!=", "in"];
const sums: readonly TokenKind[] = ["+", "-"];
const products: readonly TokenKind[] = ["*", "/", "%"];

/** Parses an expression and expands its macros. Never throws: whatever is wrong becomes an issue. */
export function parse(text: string, options: ParseOptions): Parsed {
  const source = new Source(text);
  const size = text.length > maxCodePoints ? countCodePoints(text) : 0;
  if (size > maxCodePoints) {
    const message = `expression code point size exceeds limit: size: ${size}, limit ${maxCodePoints}`;
    return { source, expr: undefined, issues: [source.issueAt(-1, message)] };
  }
  const { tokens, issues } = tokenize(source);
  const parsed = new Parser(new TokenCursor(source, tokens, issues), options).parseAll();
  if (!("kind" in parsed)) issues.push(parsed);
  return { source, expr: issues.length > 0 || !("kind" in parsed) ? undefined : parsed, issues };
}

class Parser {
  readonly #cursor: TokenCursor;
  readonly #options: ParseOptions;
  readonly #depths = new ExprDepths();

  constructor(cursor: TokenCursor, options: ParseOptions) {
    this.#cursor = cursor;
    this.#options = options;
  }

  /** The expression, or the first token that fits no rule. */
  parseAll(): Expr | Issue {
    try {
      const expr = this.#expr();
      if (this.#cursor.token.kind !== "EOF") throw expecting("EOF", this.#cursor.token, this.#cursor.after);
      return expr;
    } catch (error) {
      if (!(error instanceof SyntaxIssue)) throw error;
      const issue = this.#cursor.source.issueAt(error.offset, error.message);
      return this.#cursor.source.text === "" ? { ...issue, column: 0 } : issue;
    }
  }

  #expr(): Expr {
    this.#cursor.enter("expr");
    const condition = this.#logic("||");
    let result = condition;
    const { offset } = this.#cursor.token;
    if (this.#cursor.take("?")) {
      const whenTrue = this.#logic("||");
      if (!this.#cursor.take(":")) throw expecting(":", this.#cursor.token, this.#cursor.after);
      const args = [condition, whenTrue, this.#expr()];
      result = this.#depths.deeper({ kind: "call", name: "_?_:_", target: undefined, args, offset }, args);
    }
    this.#cursor.depth.expr--;
    return result;
  }

  #logic(operator: "||" | "&&"): Expr {
    const operand = (): Expr => (operator === "||" ? this.#logic("&&") : this.#binary("relation"));
    const first = operand();
    if (this.#cursor.token.kind !== operator) return first;
    const { offset } = this.#cursor.token;
    const args = [first];
    while (this.#cursor.token.kind === operator) {
      this.#cursor.next();
      args.push(operand());
    }
    return this.#depths.around({ kind: "call", name: `_${operator}_`, target: undefined, args, offset }, args);
  }

  #binary(rule: "relation" | "calc"): Expr {
    return rule === "relation"
      ? this.#chain("relation", relations, () => this.#binary("calc"))
      : this.#chain("calc", sums, () => this.#products());
  }

  /** Inside the same rule of the grammar as sums, so not nested any deeper. */
  #products(): Expr {
    this.#cursor.depth.calc--;
    const product = this.#chain("calc", products, () => this.#unary());
    this.#cursor.depth.calc++;
    return product;
  }

  /** Operators of one precedence, from the left. */
  #chain(rule: "relation" | "calc", operators: readonly TokenKind[], operand: () => Expr): Expr {
    const before = this.#cursor.depth[rule];
    this.#cursor.enter(rule);
    let left = operand();
    while (operators.includes(this.#cursor.token.kind)) {
      const { text, offset } = this.#cursor.next();
      const name = text === "in" ? "@in" : `_${text}_`;
      const args = [left, operand()];
      left = this.#depths.deeper({ kind: "call", name, target: undefined, args, offset }, args);
    }
    this.#cursor.depth[rule] = before;
    return left;
  }

  #unary(): Expr {
    const { kind, offset } = this.#cursor.token;
    if (kind !== "!" && kind !== "-") return this.#member();
    const after = this.#cursor.after.kind;
    // One minus before a number belongs to the number; several are operators.
    if (kind === "-" && (after === "NUM_INT" || after === "NUM_FLOAT")) return this.#member();
    let count = 0;
    for (; this.#cursor.token.kind === kind; count++) this.#cursor.next();
    const operand = this.#member();
    if (count % 2 === 0) return operand;
    const name = kind === "!" ? "!_" : "-_";
    return this.#depths.around({ kind: "call", name, target: undefined, args: [operand], offset }, [operand]);
  }

  #member(): Expr {
    const before = this.#cursor.depth.member;
    this.#cursor.enter("member");
    let operand = this.#primary();
    for (;;) {
      if (this.#cursor.token.kind === ".") operand = this.#selection(operand);
      else if (this.#cursor.token.kind === "[") operand = this.#index(operand);
      else break;
    }
    this.#cursor.depth.member = before;
    return operand;
  }

  #selection(operand: Expr): Expr {
    const { offset } = this.#cursor.next();
    const optional = this.#cursor.take("?");
    const name = this.#cursor.fieldName(".");
    if (optional) {
      if (!this.#options.optionalSyntax) return this.#cursor.problem(offset, "unsupported syntax '.?'");
      const field: Expr = { kind: "literal", value: name.text, offset: name.offset };
      return this.#depths.deeper({ kind: "call", name: "_?._", target: undefined, args: [operand, field], offset }, [
        operand,
      ]);
    }
    if (this.#cursor.token.kind === "(" && name.kind === "IDENTIFIER") return this.#call(name.text, operand);
    return this.#depths.deeper({ kind: "select", operand, field: name.text, testOnly: false, offset }, [operand]);
  }

  #index(operand: Expr): Expr {
    const { offset } = this.#cursor.next();
    const optional = this.#cursor.take("?");
    const index = this.#cursor.nested("]", () => (optional ? this.#expr() : this.#exprOr(["?"])));
    if (optional && !this.#options.optionalSyntax) return this.#cursor.problem(offset, "unsupported syntax '[?'");
    const name = optional ? "_[?_]" : "_[_]";
    const args = [operand, index];
    return this.#depths.deeper({ kind: "call", name, target: undefined, args, offset }, args);
  }

  /** An expression at a place where tokens of `others` would do as well: the message lists them. */
  #exprOr(others: readonly TokenKind[]): Expr {
    if (!atOperand(this.#cursor.token)) throw atOperandOr(others, this.#cursor.token, this.#cursor.after);
    return this.#expr();
  }

  #call(name: string, target: Expr | undefined): Expr {
    const { offset } = this.#cursor.next();
    const args = this.#cursor.nested(")", () => {
      if (this.#cursor.token.kind === ")") return [];
      const list = [this.#exprOr([")"])];
      while (this.#cursor.token.kind === ",") {
        this.#cursor.next();
        list.push(this.#expr());
      }
      return list;
    });
    const expand = this.#options.macros.find(name, args.length, target !== undefined);
    const parts = target === undefined ? args : [target, ...args];
    const weigh = (made: Expr): Expr =>
      target === undefined ? this.#depths.around(made, parts) : this.#depths.deeper(made, parts);
    if (expand === undefined) return weigh({ kind: "call", name, target, args, offset });
    try {
      return weigh(expand({ target, args, offset }));
    } catch (error) {
      if (!(error instanceof MacroError)) throw error;
      return this.#cursor.problem(error.offset, error.message);
    }
  }

  #primary(): Expr {
    const token = this.#cursor.token;
    switch (token.kind) {
      case "(":
        this.#cursor.next();
        return this.#cursor.nested(")", () => this.#expr());
      case "[":
        return this.#aggregate(readList(this.#elements));
      case "{":
        return this.#aggregate(readMap(this.#elements));
      case ".":
      case "IDENTIFIER":
        return this.#name();
      default:
        return this.#literal();
    }
  }

  #name(): Expr {
    const { offset } = this.#cursor.token;
    const dot = this.#cursor.token.kind === "." ? this.#cursor.next().text : "";
    const name = dot === "" ? this.#cursor.next() : this.#leadingName();
    if (this.#cursor.token.kind === "(" && !reserved.has(name.text)) return this.#call(dot + name.text, undefined);
    const struct = this.#structName();
    if (struct !== undefined) {
      return this.#aggregate(readStruct(this.#elements, [dot + name.text, ...struct].join(".")));
    }
    if (reserved.has(name.text)) {
      if (this.#cursor.token.kind === "(") this.#call("reserved", undefined);
      return this.#cursor.problem(offset, `reserved identifier: ${name.text}`);
    }
    return { kind: "ident", name: dot + name.text, offset: name.offset };
  }

  #leadingName(): Token {
    if (this.#cursor.token.kind !== "IDENTIFIER") throw expecting("IDENTIFIER", this.#cursor.token, this.#cursor.after);
    return this.#cursor.next();
  }

  /** The rest of a name that a `{` follows; takes no token when there is none. */
  #structName(): string[] | undefined {
    const names: string[] = [];
    let at = this.#cursor.at;
    while (this.#cursor.tokens[at]?.kind === "." && this.#cursor.tokens[at + 1]?.kind === "IDENTIFIER") {
      names.push(this.#cursor.tokens[at + 1]?.text ?? "");
      at += 2;
    }
    if (this.#cursor.tokens[at]?.kind !== "{") return undefined;
    this.#cursor.at = at;
    return names;
  }

  /** What lists, maps and objects are read with. */
  get #elements(): ElementReader {
    return {
      cursor: this.#cursor,
      optionalSyntax: this.#options.optionalSyntax,
      expr: () => this.#expr(),
      exprOr: (others) => this.#exprOr(others),
    };
  }

  #aggregate(expr: Expr): Expr {
    return this.#depths.around(expr, childrenOf(expr));
  }

  #literal(): Expr {
    const { token, after } = this.#cursor;
    const { offset } = token;
    const isNegative = token.kind === "-";
    if (isNegative ? after.kind !== "NUM_INT" && after.kind !== "NUM_FLOAT" : !atOperand(token)) {
      if (isNegative) this.#cursor.next();
      throw atOperandOr([], this.#cursor.token, this.#cursor.after);
    }
    if (isNegative) this.#cursor.next();
    const { kind, text } = this.#cursor.next();
    const result = readLiteral(kind, isNegative ? `-${text}` : text);
    return "problem" in result
      ? this.#cursor.problem(offset, result.problem)
      : { kind: "literal", value: result.value, offset };
  }
}
