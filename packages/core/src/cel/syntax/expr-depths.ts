import type { Expr } from "./expr.js";
import { SyntaxIssue } from "./syntax-issue.js";
import { maxDepth } from "./token-cursor.js";

/** How many operators, selections and calls on values are nested inside each node; more than 250 are too many. */
export class ExprDepths {
  readonly #depths = new Map<Expr, number>();

  /** A node that is one deeper than its parts. */
  deeper(expr: Expr, parts: readonly Expr[]): Expr {
    const depth = this.#deepest(parts) + 1;
    if (depth > maxDepth) throw new SyntaxIssue(-1, "max recursion depth exceeded", "");
    this.#depths.set(expr, depth);
    return expr;
  }

  /** A node that counts no more than its parts. */
  around(expr: Expr, parts: readonly Expr[]): Expr {
    this.#depths.set(expr, this.#deepest(parts));
    return expr;
  }

  #deepest(parts: readonly Expr[]): number {
    return parts.reduce((deepest, part) => Math.max(deepest, this.#depths.get(part) ?? 0), 0);
  }
}
