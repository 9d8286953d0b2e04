/**
 * Keeps the most recently used entries: at least `size`, at most twice as many. With `weigh` it is their weight that is bounded.
 *
 * Two generations instead of an LRU order: repeated removal of a Map's oldest entry scans over all deleted slots.
 */
export class RecentMap<V> {
  readonly #size: number;
  readonly #weigh: (value: V) => number;
  #young = new Map<string, V>();
  #old = new Map<string, V>();
  /** Of the young entries. */
  #weight = 0;

  constructor(size: number, weigh: (value: V) => number = () => 1) {
    this.#size = size;
    this.#weigh = weigh;
  }

  /** The value of a key, which becomes recently used. */
  get(key: string): V | undefined {
    const young = this.#young.get(key);
    if (young !== undefined) return young;
    const old = this.#old.get(key);
    if (old !== undefined) this.set(key, old);
    return old;
  }

  set(key: string, value: V): void {
    const added = this.#young.has(key) ? 0 : this.#weigh(value);
    this.#young.set(key, value);
    this.grew(added);
  }

  delete(key: string): void {
    const young = this.#young.get(key);
    if (young !== undefined) this.#weight -= this.#weigh(young);
    this.#young.delete(key);
    this.#old.delete(key);
  }

  /** A recently used value weighs this much more than before. */
  grew(weight: number): void {
    this.#weight += weight;
    if (this.#weight < this.#size) return;
    this.#old = this.#young;
    this.#young = new Map();
    this.#weight = 0;
  }
}
