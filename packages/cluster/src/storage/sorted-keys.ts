/** Up to this many new keys are inserted one by one; more are sorted together with the existing ones. */
const fewKeys = 8;

/** Keys in byte order, as etcd lists them. New keys are inserted lazily, on the next read. */
export class SortedKeys {
  #keys: string[] = [];
  #added: string[] = [];

  /** The number of keys before `key`. */
  indexOf(key: string): number {
    this.#settle();
    return this.#placeOf(key);
  }

  /** The key at an index. */
  at(index: number): string | undefined {
    this.#settle();
    return this.#keys[index];
  }

  /** Adds a new key. */
  add(key: string): void {
    this.#added.push(key);
  }

  /** Removes a key, if it exists. */
  remove(key: string): void {
    const index = this.indexOf(key);
    if (this.#keys[index] === key) this.#keys.splice(index, 1);
  }

  /** The index range of the keys that start with `prefix` and are at or after `start`. */
  range(prefix: string, start = ""): { readonly from: number; readonly to: number } {
    const from = this.indexOf(start > prefix ? start : prefix);
    const to = prefix === "" ? this.#keys.length : this.indexOf(afterPrefix(prefix));
    return { from, to: Math.max(from, to) };
  }

  #placeOf(key: string): number {
    let low = 0;
    let high = this.#keys.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#keys[middle] ?? "") < key) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #settle(): void {
    if (this.#added.length === 0) return;
    const added = this.#added;
    this.#added = [];
    if (added.length > fewKeys) {
      // Two sorted runs, which TimSort merges in one pass.
      this.#keys = this.#keys.concat(added.sort()).sort();
      return;
    }
    for (const key of added) {
      const last = this.#keys.at(-1);
      if (last === undefined || last < key) this.#keys.push(key);
      else this.#keys.splice(this.#placeOf(key), 0, key);
    }
  }
}

/** The first string after all strings that start with `prefix`. */
function afterPrefix(prefix: string): string {
  return prefix.slice(0, -1) + String.fromCharCode(prefix.charCodeAt(prefix.length - 1) + 1);
}
