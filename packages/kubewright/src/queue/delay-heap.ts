interface Waiting {
  readonly key: string;
  readonly dueMs: number;
  /** Keys with the same due time are taken in insertion order. */
  readonly order: number;
}

/**
 * Delayed keys, the earliest first. Each operation costs O(log n).
 *
 * A key is in the heap at most once: a second due time replaces the first if it is earlier, and is ignored otherwise.
 */
export class DelayHeap {
  /** A binary heap; an entry that is not in `#byKey` was replaced, and is skipped when it reaches the top. */
  readonly #heap: Waiting[] = [];
  readonly #byKey = new Map<string, Waiting>();
  #orders = 0;

  /** Number of delayed keys. */
  get size(): number {
    return this.#byKey.size;
  }

  /** Delays `key` until `dueMs`, unless it has an earlier due time. */
  add(key: string, dueMs: number): void {
    const before = this.#byKey.get(key);
    if (before !== undefined && before.dueMs <= dueMs) return;
    const entry: Waiting = { key, dueMs, order: this.#orders++ };
    this.#byKey.set(key, entry);
    this.#heap.push(entry);
    this.#up(this.#heap.length - 1);
    // Replaced entries stay in the heap until they reach the top; rebuilding bounds their number.
    if (this.#heap.length > 2 * this.#byKey.size + 16) this.#rebuild();
  }

  /** The earliest due time; undefined if no key is delayed. */
  get nextDueMs(): number | undefined {
    this.#dropReplaced();
    return this.#heap[0]?.dueMs;
  }

  /** Removes and returns the earliest key that is due at `nowMs`; undefined if none is. */
  takeDue(nowMs: number): string | undefined {
    this.#dropReplaced();
    const first = this.#heap[0];
    if (first === undefined || first.dueMs > nowMs) return undefined;
    this.#pop();
    this.#byKey.delete(first.key);
    return first.key;
  }

  has(key: string): boolean {
    return this.#byKey.size > 0 && this.#byKey.has(key);
  }

  /** Removes `key` if it is delayed. */
  remove(key: string): void {
    if (this.#byKey.size > 0) this.#byKey.delete(key);
  }

  /** Removes all keys. */
  clear(): void {
    this.#heap.length = 0;
    this.#byKey.clear();
  }

  #dropReplaced(): void {
    for (let first = this.#heap[0]; first !== undefined && this.#byKey.get(first.key) !== first; first = this.#heap[0])
      this.#pop();
  }

  #rebuild(): void {
    this.#heap.length = 0;
    for (const entry of this.#byKey.values()) {
      this.#heap.push(entry);
      this.#up(this.#heap.length - 1);
    }
  }

  #pop(): void {
    const last = this.#heap.pop();
    if (last === undefined || this.#heap.length === 0) return;
    this.#heap[0] = last;
    this.#down();
  }

  #up(from: number): void {
    for (let child = from; child > 0; ) {
      const parent = (child - 1) >> 1;
      if (!this.#swapIfEarlier(child, parent)) return;
      child = parent;
    }
  }

  #down(): void {
    for (let parent = 0; ; ) {
      const left = 2 * parent + 1;
      const smaller = this.#earlier(left + 1, left) ? left + 1 : left;
      if (!this.#swapIfEarlier(smaller, parent)) return;
      parent = smaller;
    }
  }

  #swapIfEarlier(child: number, parent: number): boolean {
    const a = this.#heap[child];
    const b = this.#heap[parent];
    if (a === undefined || b === undefined || !this.#earlier(child, parent)) return false;
    this.#heap[child] = b;
    this.#heap[parent] = a;
    return true;
  }

  #earlier(index: number, other: number): boolean {
    const a = this.#heap[index];
    const b = this.#heap[other];
    if (a === undefined || b === undefined) return false;
    return a.dueMs < b.dueMs || (a.dueMs === b.dueMs && a.order < b.order);
  }
}
