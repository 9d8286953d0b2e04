/** Returns random numbers in [0, 1). */
export type Random = () => number;

/** A random element; undefined for an empty list. */
export function pick<T>(values: readonly T[], random: Random): T | undefined {
  return values[Math.floor(random() * values.length)];
}

/** A random integer from `least` to `most`, inclusive. */
export function between(least: number, most: number, random: Random): number {
  return least + Math.floor(random() * (most - least + 1));
}
