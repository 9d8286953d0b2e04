/**
 * An integer as JSON values hold it: a `number` within ±(2^53 − 1), a `bigint` within int64, and beyond it the nearest double, as Go's
 * decoder returns it. Each integer has one representation.
 */
export function jsonInteger(value: bigint): number | bigint {
  const near = Number(value);
  return Number.isSafeInteger(near) || BigInt.asIntN(64, value) !== value ? near : value;
}
