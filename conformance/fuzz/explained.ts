import type { Difference } from "../compare.js";

/** Differences of one sort between the servers that need no mending, or could not be mended yet. */
export interface Explanation {
  /** One sentence. */
  readonly why: string;
  /** The place, without the number of the step. */
  readonly at: RegExp;
  /** What the real server gave there, as JSON. */
  readonly real: RegExp;
  /** What ours gave there, as JSON. */
  readonly ours: RegExp;
}

/** Everything that the fuzzer may find without a failure. */
export const explanations: readonly Explanation[] = [];

/** Why this difference is known, or undefined when it is not. */
export function explain({ at, recorded, given }: Difference): Explanation | undefined {
  const place = at.replace(/^\d+ ?/, "");
  const real = JSON.stringify(recorded) ?? "";
  const ours = JSON.stringify(given) ?? "";
  return explanations.find((one) => one.at.test(place) && one.real.test(real) && one.ours.test(ours));
}
