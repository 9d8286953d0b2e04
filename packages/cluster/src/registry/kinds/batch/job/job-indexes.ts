import { goQuote } from "@kubewright/core/json";

/** The number of indexes, or the reason that they are invalid. */
export type Indexes =
  | { readonly kind: "valid"; readonly count: number }
  | { readonly kind: "invalid"; readonly why: string };

type Interval =
  | { readonly kind: "valid"; readonly from: number; readonly to: number }
  | { readonly kind: "invalid"; readonly why: string };

/** Parses `0,2-4`: increasing intervals below the number of completions. */
export function parseIndexes(text: string, completions: number): Indexes {
  let count = 0;
  let last: number | undefined;
  for (const part of text === "" ? [] : text.split(",")) {
    const parsed = parseInterval(part, completions);
    if (parsed.kind === "invalid") return parsed;
    if (last !== undefined && last >= parsed.from) return { kind: "invalid", why: notIncreasing(last, parsed.from) };
    count += parsed.to - parsed.from + 1;
    last = parsed.to;
  }
  return { kind: "valid", count };
}

/** The first index that is both completed and failed; undefined if there is none. Skips invalid intervals. */
export function overlapOf(completed: string, failed: string, completions: number): number | undefined {
  const intervals = (text: string): readonly (Interval & { readonly kind: "valid" })[] =>
    (text === "" ? [] : text.split(","))
      .map((part) => parseInterval(part, completions))
      .filter((parsed) => parsed.kind === "valid");
  const [completedIntervals, failedIntervals] = [intervals(completed), intervals(failed)];
  for (let at = 0, next = 0; at < completedIntervals.length && next < failedIntervals.length; ) {
    const [one, other] = [completedIntervals[at], failedIntervals[next]];
    if (one === undefined || other === undefined) return undefined;
    if (one.from <= other.to && other.from <= one.to) return Math.max(one.from, other.from);
    if (one.from <= other.from) at++;
    else next++;
  }
  return undefined;
}

function notIncreasing(previous: number, current: number): string {
  return `non-increasing order, previous: ${previous}, current: ${current}`;
}

function parseInterval(text: string, completions: number): Interval {
  const limits = text.split("-");
  const invalidInterval = (why: string): Interval => ({ kind: "invalid", why });
  if (limits.length > 2)
    return invalidInterval(
      `the fragment ${goQuote(text)} violates the requirement that an index interval can have at most two parts separated by '-'`,
    );
  const numbers: number[] = [];
  for (const limit of limits) {
    if (!/^[+]?\d+$/.test(limit))
      return invalidInterval(`cannot convert string to integer for index: ${goQuote(limit)}`);
    if (Number(limit) >= completions) return invalidInterval(`too large index: ${goQuote(limit)}`);
    numbers.push(Number(limit));
  }
  const [from = 0, to = from] = numbers;
  if (numbers.length === 2 && from >= to) return invalidInterval(notIncreasing(from, to));
  return { kind: "valid", from, to };
}
