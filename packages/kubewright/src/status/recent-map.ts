/**
 * Keeps the most recently used entries: at least `size`, at most twice as many.
 *
 * Two generations instead of an LRU order: repeated removal of a Map's oldest entry scans over all deleted slots.
 */
export class RecentMap<V> {
  readonly #size: number;
  #young = new Map<string, V>();
  #old = new Map<string, V>();

  constructor(size: number) {
    this.#size = size;
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
    this.#young.set(key, value);
    if (this.#young.size < this.#size) return;
    this.#old = this.#young;
    this.#young = new Map();
  }
}
