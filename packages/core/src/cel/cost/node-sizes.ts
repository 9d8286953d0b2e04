import type { Expr } from "../syntax/expr.js";
import { type CelType, optionalParam } from "../types/cel-type.js";
import { costSize, stringFactor } from "../values/sizes.js";
import { fixed, type Range, type SizedNode, scale, union } from "./estimate.js";

/** How large the elements of a list, or the keys and values of a map, may be. */
export interface EntrySizes {
  readonly kind: "list" | "map";
  readonly key: Range;
  readonly value: Range;
}

/** The size that a literal says itself. */
export function literalSize(expr: Expr): Range | undefined {
  if (expr.kind === "literal") return fixed(costSize(expr.value));
  if (expr.kind === "list") return fixed(expr.elements.length);
  return expr.kind === "map" ? fixed(expr.entries.length) : undefined;
}

/** What holds for the elements of either. */
export function unionEntries(left: EntrySizes, right: EntrySizes): EntrySizes {
  return { kind: left.kind, key: union(left.key, right.key), value: union(left.value, right.value) };
}

/** Whether every value of a type has the size 1. */
export function isScalar(type: CelType): boolean {
  const inner = optionalParam(type);
  if (inner !== undefined) return isScalar(inner);
  return ["bool", "double", "duration", "int", "timestamp", "uint"].includes(type.kind);
}

/** What comparing Kubernetes' own values costs; undefined for all others. */
export function opaqueEquality([left, right]: readonly SizedNode[]): Range | undefined {
  if (left === undefined || left.type.name !== right?.type.name) return undefined;
  const { name } = left.type;
  if (/^(kubernetes\.(Quantity|Semver|authorization\.)|net\.)/.test(name)) return fixed(1);
  if (name === "kubernetes.NamedFormat") return scale({ min: 1, max: 64 }, stringFactor);
  return name === "kubernetes.URL" ? scale({ min: 1, max: right.size?.max ?? 1 }, stringFactor) : undefined;
}
