/** How many entries are young at once. */
const defaultLimit = 4_096;

/**
 * What was worked out for objects that were looked at lately.
 *
 * Holds between one and two times `limit` entries that were set or read last, and none for objects that are gone: bounded, at the cost of a
 * counter.
 */
export class RecentMap<K extends object, V> {
  readonly #limit: number;
  #young = new WeakMap<K, V>();
  #old = new WeakMap<K, V>();
  #count = 0;

  constructor(limit: number = defaultLimit) {
    this.#limit = limit;
  }

  get(key: K): V | undefined {
    const value = this.#young.get(key);
    if (value !== undefined) return value;
    const aged = this.#old.get(key);
    if (aged !== undefined) this.set(key, aged);
    return aged;
  }

  set(key: K, value: V): void {
    if (++this.#count > this.#limit) {
      this.#old = this.#young;
      this.#young = new WeakMap();
      this.#count = 1;
    }
    this.#young.set(key, value);
  }
}
