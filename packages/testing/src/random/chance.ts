/** Numbers from 0 up to 1. */
export type Chance = () => number;

/** One of the values; undefined when there is none. */
export function pick<T>(values: readonly T[], chance: Chance): T | undefined {
  return values[Math.floor(chance() * values.length)];
}

/** A whole number from `least` to `most`, both included. */
export function between(least: number, most: number, chance: Chance): number {
  return least + Math.floor(chance() * (most - least + 1));
}
