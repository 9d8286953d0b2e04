import type { CelType } from "../types/cel-type.js";
import type { CelValue } from "../values/value.js";

/** The least and the most that a size or a cost may be. Saturates at {@link unbounded}. */
export interface Range {
  readonly min: number;
  readonly max: number;
}

/** The largest cost, that of a uint64. */
export const unbounded = 2 ** 64;

export const unknownSize: Range = { min: 0, max: unbounded };

/** What is known of an operand before it is evaluated. */
export interface SizedNode {
  /** The way from a variable: field names, `@items`, `@keys` and `@values`. Undefined for what no schema describes. */
  readonly path: readonly string[] | undefined;
  readonly type: CelType;
  readonly literal: CelValue | undefined;
  /** What the expression itself says of its size. */
  readonly size: Range | undefined;
}

/** A call whose cost is estimated. `sizeOf` asks the schema where the expression does not say a size. */
export interface CallSizes {
  readonly target: SizedNode | undefined;
  readonly args: readonly SizedNode[];
  /** How large a node may be. */
  sizeOf(node: SizedNode): Range;
}

/** The estimated cost of a call, and the size of its result. */
export interface CallEstimate {
  readonly cost: Range;
  /** Of a result that is a string, bytes, a list or a map. */
  readonly size?: Range;
}

/** Estimates a call; undefined if the default applies. */
export type EstimateCall = (call: CallSizes) => CallEstimate | undefined;

export function fixed(value: number): Range {
  return { min: value, max: value };
}

export function add(left: Range, right: Range): Range {
  return { min: saturate(left.min + right.min), max: saturate(left.max + right.max) };
}

export function multiply(left: Range, right: Range): Range {
  return { min: saturate(left.min * right.min), max: saturate(left.max * right.max) };
}

/** Rounds up. */
export function scale(range: Range, factor: number): Range {
  return { min: saturate(Math.ceil(range.min * factor)), max: saturate(Math.ceil(range.max * factor)) };
}

export function union(left: Range, right: Range): Range {
  return { min: Math.min(left.min, right.min), max: Math.max(left.max, right.max) };
}

function saturate(value: number): number {
  return Math.min(value, unbounded);
}
