import { OperatorError } from "../errors/index.js";

/**
 * Resolves an IntOrString such as `maxSurge` or `maxUnavailable` against `total`.
 *
 * A percentage is rounded up or down; a number is returned as is. Throws API_INVALID for a string that is not a percentage.
 */
export function resolveIntOrPercent(value: number | string, total: number, rounding: "up" | "down"): number {
  if (typeof value === "number") return value;
  const percent = /^(\d{1,9})%$/.exec(value)?.[1];
  if (percent === undefined) {
    throw new OperatorError(
      "API_INVALID",
      `invalid value for IntOrString: invalid type: string is not a percentage: "${value.slice(0, 80)}"`,
    );
  }
  const share = (Number(percent) * total) / 100;
  return rounding === "up" ? Math.ceil(share) : Math.floor(share);
}
