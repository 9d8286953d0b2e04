/** Keys in the order of their bytes, as etcd lists them. */
export class SortedKeys {
  #keys: string[] = [];

  /** Where `key` stands, or would be inserted. */
  indexOf(key: string): number {
    let low = 0;
    let high = this.#keys.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#keys[middle] ?? "") < key) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Adds a key that is not there yet. */
  add(key: string): void {
    const last = this.#keys.at(-1);
    if (last === undefined || last < key) this.#keys.push(key);
    else this.#keys.splice(this.indexOf(key), 0, key);
  }

  /** Removes a key; does nothing when it is not there. */
  remove(key: string): void {
    const index = this.indexOf(key);
    if (this.#keys[index] === key) this.#keys.splice(index, 1);
  }

  /** The keys that begin with `prefix`, in order. */
  withPrefix(prefix: string): readonly string[] {
    if (prefix === "") return this.#keys;
    const start = this.indexOf(prefix);
    let end = start;
    while (end < this.#keys.length && this.#keys[end]?.startsWith(prefix)) end++;
    return this.#keys.slice(start, end);
  }
}
