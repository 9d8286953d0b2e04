import fc from "fast-check";

/** Makes random choices. All randomness of a case comes from one chooser, so that a seed reproduces the case. */
export interface Chooser {
  /** An integer in [0, count). */
  below(count: number): number;
  /** True with this probability in percent. */
  chance(percent: number): boolean;
  /** An element of the list, which must not be empty. */
  of<T>(list: readonly T[]): T;
  /** At most `most` distinct elements of the list, in its order. */
  some<T>(list: readonly T[], most: number): T[];
}

/** The value that `make` builds with this seed; deterministic. */
export function drawn<T>(seed: number, make: (choose: Chooser) => T): T {
  const arbitrary = fc.gen().map((gen) => make(chooserOf((count) => gen(evenly, count))));
  const [value] = fc.sample(arbitrary, { seed, numRuns: 1 });
  if (value === undefined) throw new Error(`Cannot draw with seed ${seed}: fast-check returned no sample`);
  return value;
}

/** Uniform: fast-check's bias to small numbers would make rare choices common. */
function evenly(count: number): fc.Arbitrary<number> {
  return fc.noBias(fc.nat({ max: count - 1 }));
}

function chooserOf(below: (count: number) => number): Chooser {
  return {
    below,
    chance: (percent) => below(100) < percent,
    of<T>(list: readonly T[]): T {
      return list[below(list.length)] as T;
    },
    some(list, most) {
      const count = list.length === 0 ? 0 : below(most + 1);
      const kept = new Set<number>();
      for (let drawn = 0; drawn < count; drawn++) kept.add(below(list.length));
      return list.filter((_, index) => kept.has(index));
    },
  };
}
