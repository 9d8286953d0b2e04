import type { Difference } from "../compare.js";
import type { RequestStep } from "../test-case.js";

/** Differences of one sort that the fuzzer may find without a failure. */
export interface Explanation {
  /** One sentence. */
  readonly why: string;
  /** The place, without the number of the step; the empty string is a whole response, whose statuses differ. */
  readonly at: RegExp;
  /** Whether the servers hold different objects from then on, so that nothing after it is compared. @default false */
  readonly isLast?: boolean;
  /** Whether it is this sort, by what both servers gave there and by what was sent. */
  is(real: unknown, ours: unknown, step: RequestStep): boolean;
}

const protection = /^kubernetes\.io\/(pv|pvc|vac)-protection$/;

/** Why the same requests, sent again, may show no difference any more. */
export const chanceDecided =
  "Where a request has several errors, a real server reports one of them by chance, and it may read from a cache that is behind.";

/** Everything that the fuzzer may find without a failure. */
export const explanations: readonly Explanation[] = [
  {
    why: "Some patches and some changes of Service IP families make a real server panic and drop the connection; here they get a response.",
    at: /^$/,
    isLast: true,
    is: (real) => typeof real === "object" && real !== null && "status" in real && real.status === 0,
  },
  {
    why: "Protection finalizers of volumes are added only where the controllers run that remove them.",
    at: /^body\.metadata\.finalizers$/,
    is: (real, ours) =>
      ours === undefined && Array.isArray(real) && real.length === 1 && protection.test(String(real[0])),
  },
  {
    why: "A server-side apply without effect updates the time in managedFields if a second has passed since the last write.",
    at: /^body\.metadata\.managedFields\[\d+\]\.time$/,
    isLast: true,
    is: (real, ours, { headers }) =>
      headers?.["content-type"] === "application/apply-patch+yaml" &&
      [real, ours].includes("<time>") &&
      [real, ours].includes(undefined),
  },
];

/** Why this difference in the response to a step is known, or undefined when it is not. */
export function explain({ at, recorded, given }: Difference, step: RequestStep): Explanation | undefined {
  const place = at.replace(/^\d+ ?/, "");
  return explanations.find((one) => one.at.test(place) && one.is(recorded, given, step));
}
