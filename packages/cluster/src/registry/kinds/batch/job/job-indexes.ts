import { goQuote } from "@kubewright/core/json";

/** The number of indexes, or the reason why they are invalid. */
export type Indexes =
  | { readonly kind: "read"; readonly count: number }
  | { readonly kind: "invalid"; readonly why: string };

type Interval =
  | { readonly kind: "read"; readonly from: number; readonly to: number }
  | { readonly kind: "invalid"; readonly why: string };

/** Parses `0,2-4`: increasing intervals below the number of completions. */
export function readIndexes(text: string, completions: number): Indexes {
  let count = 0;
  let last: number | undefined;
  for (const part of text === "" ? [] : text.split(",")) {
    const read = readInterval(part, completions);
    if (read.kind === "invalid") return read;
    if (last !== undefined && last >= read.from) return { kind: "invalid", why: notIncreasing(last, read.from) };
    count += read.to - read.from + 1;
    last = read.to;
  }
  return { kind: "read", count };
}

/** The first index that is in both; undefined if there is none. Skips invalid intervals. */
export function overlapOf(completed: string, failed: string, completions: number): number | undefined {
  const intervals = (text: string): readonly (Interval & { readonly kind: "read" })[] =>
    (text === "" ? [] : text.split(","))
      .map((part) => readInterval(part, completions))
      .filter((read) => read.kind === "read");
  const [done, lost] = [intervals(completed), intervals(failed)];
  for (let at = 0, beside = 0; at < done.length && beside < lost.length; ) {
    const [one, other] = [done[at], lost[beside]];
    if (one === undefined || other === undefined) return undefined;
    if (one.from <= other.to && other.from <= one.to) return Math.max(one.from, other.from);
    if (one.from <= other.from) at++;
    else beside++;
  }
  return undefined;
}

function notIncreasing(previous: number, current: number): string {
  return `non-increasing order, previous: ${previous}, current: ${current}`;
}

function readInterval(text: string, completions: number): Interval {
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
  return { kind: "read", from, to };
}
