/** The value below which this share of the values lies. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}

/** The middle value, or the mean of the two in the middle. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  return ((sorted[Math.ceil(middle) - 1] ?? Number.NaN) + (sorted[Math.floor(middle)] ?? Number.NaN)) / 2;
}

/** The median, and the least and the greatest value. */
export function spread(values: readonly number[]): string {
  if (values.length === 0) return "-";
  return `${short(median(values))} (${short(Math.min(...values))}-${short(Math.max(...values))})`;
}

/** A number with as many digits as its size needs. */
export function short(value: number): string {
  return value.toFixed(value < 100 ? 1 : 0);
}
