import type { CelValue } from "../values/value.js";

/** A node of a parsed expression. Macros are expanded: they leave comprehensions, calls and conditionals. */
export type Expr =
  | LiteralExpr
  | IdentExpr
  | SelectExpr
  | CallExpr
  | ListExpr
  | MapExpr
  | StructExpr
  | ComprehensionExpr;

/** Where issues about a node point: an offset in UTF-16 units. */
export interface Place {
  readonly offset: number;
}

/** A literal. */
export interface LiteralExpr extends Place {
  readonly kind: "literal";
  readonly value: CelValue;
}

/** A variable, a type or a qualified name; with a leading dot where the source has one. */
export interface IdentExpr extends Place {
  readonly kind: "ident";
  readonly name: string;
}

/** A field selection, `operand.field`. */
export interface SelectExpr extends Place {
  readonly kind: "select";
  readonly operand: Expr;
  readonly field: string;
  /** From `has(operand.field)`. */
  readonly testOnly: boolean;
}

/** A function or operator; operators are named as cel-go names them, such as `_+_`. `&&` and `||` take two arguments or more. */
export interface CallExpr extends Place {
  readonly kind: "call";
  readonly name: string;
  readonly target: Expr | undefined;
  readonly args: readonly Expr[];
}

/** A list literal. */
export interface ListExpr extends Place {
  readonly kind: "list";
  readonly elements: readonly Expr[];
  /** Indexes of elements written `?element`. */
  readonly optional: ReadonlySet<number>;
}

/** One entry of a map literal. */
export interface MapEntry extends Place {
  readonly key: Expr;
  readonly value: Expr;
  readonly optional: boolean;
}

/** A map literal. */
export interface MapExpr extends Place {
  readonly kind: "map";
  readonly entries: readonly MapEntry[];
}

/** One field of a message literal. */
export interface StructField extends Place {
  readonly name: string;
  readonly value: Expr;
  readonly optional: boolean;
}

/** A message literal. */
export interface StructExpr extends Place {
  readonly kind: "struct";
  readonly typeName: string;
  readonly fields: readonly StructField[];
}

/** A loop: `accu` starts as `init` and becomes `step` for each element of `range` while `condition` holds; `result` is its value. */
export interface ComprehensionExpr extends Place {
  readonly kind: "comprehension";
  /** Which macro family it came from: the evaluator has a loop for each. */
  readonly form: "all" | "exists" | "existsOne" | "list" | "map" | "bind";
  readonly range: Expr;
  readonly iterVar: string;
  /** The value beside an index or key, in two-variable comprehensions. */
  readonly iterVar2: string | undefined;
  readonly accuVar: string;
  readonly init: Expr;
  readonly condition: Expr;
  readonly step: Expr;
  readonly result: Expr;
}

/** The accumulator of every macro but `optMap` and its kin; not an identifier that a source can contain. */
export const accumulator = "@result";

/** `a.b.c` of identifiers and selections, or undefined for any other expression. */
export function qualifiedName(expr: Expr): string | undefined {
  if (expr.kind === "ident") return expr.name;
  if (expr.kind !== "select" || expr.testOnly) return undefined;
  const prefix = qualifiedName(expr.operand);
  return prefix === undefined ? undefined : `${prefix}.${expr.field}`;
}
