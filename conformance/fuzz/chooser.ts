import fc from "fast-check";

/** Draws values. Everything random in a case comes from one of these, so that a seed gives the same case again. */
export interface Chooser {
  /** From 0 up to, and without, `count`. */
  below(count: number): number;
  /** True in so many of a hundred draws. */
  chance(percent: number): boolean;
  /** One of the list, which must not be empty. */
  of<T>(list: readonly T[]): T;
  /** At most `most` different ones of the list, in its order. */
  some<T>(list: readonly T[], most: number): T[];
}

/** What `make` draws with this seed, always the same. */
export function drawn<T>(seed: number, make: (choose: Chooser) => T): T {
  const arbitrary = fc.gen().map((gen) => make(chooserOf((count) => gen(evenly, count))));
  const [value] = fc.sample(arbitrary, { seed, numRuns: 1 });
  if (value === undefined) throw new Error(`Cannot draw with seed ${seed}: nothing came`);
  return value;
}

/** Without fast-check's leaning to small numbers, which would make rare things common. */
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
