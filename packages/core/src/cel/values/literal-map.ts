import { compareNumbers } from "./number.js";
import { type CelValue, DoubleValue, MapValue, UintValue } from "./value.js";

/** A map that an expression made. Keys that are equal numbers of different types are one key. */
export class LiteralMap extends MapValue {
  readonly #entries: ReadonlyMap<unknown, readonly [CelValue, CelValue]>;

  constructor(entries: ReadonlyMap<unknown, readonly [CelValue, CelValue]>) {
    super();
    this.#entries = entries;
  }

  static of(pairs: Iterable<readonly [CelValue, CelValue]>): LiteralMap {
    const entries = new Map<unknown, readonly [CelValue, CelValue]>();
    for (const [key, value] of pairs) entries.set(mapKey(key), [key, value]);
    return new LiteralMap(entries);
  }

  get size(): number {
    return this.#entries.size;
  }

  get(key: CelValue): CelValue | undefined {
    return this.#entries.get(mapKey(key))?.[1];
  }

  keys(): CelValue[] {
    return [...this.#entries.values()].map(([key]) => key);
  }

  /** The pairs by their keys, to build a larger map from. */
  entries(): Map<unknown, readonly [CelValue, CelValue]> {
    return new Map(this.#entries);
  }
}

/** What a key is stored under: the same for `1`, `1u` and `1.0`. */
export function mapKey(key: CelValue): unknown {
  if (key instanceof UintValue) return key.value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(key.value) : key.value;
  if (key instanceof DoubleValue) {
    if (Number.isSafeInteger(key.value)) return key.value + 0;
    if (Number.isInteger(key.value) && compareNumbers(key, 2n ** 64n) < 0) return BigInt(key.value);
    return key;
  }
  return key;
}
