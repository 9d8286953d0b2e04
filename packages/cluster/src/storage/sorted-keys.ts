/** Up to how many new keys are put in their places one by one; more are sorted with all others. */
const fewKeys = 8;

/** Keys in the order of their bytes, as etcd lists them. New keys are put in their places when the order is next asked for. */
export class SortedKeys {
  #keys: string[] = [];
  #added: string[] = [];

  /** How many keys there are before `key`. */
  indexOf(key: string): number {
    this.#settle();
    return this.#placeOf(key);
  }

  /** The key at a place. */
  at(index: number): string | undefined {
    this.#settle();
    return this.#keys[index];
  }

  /** Adds a key that is not there yet. */
  add(key: string): void {
    this.#added.push(key);
  }

  /** Removes a key; does nothing when it is not there. */
  remove(key: string): void {
    const index = this.indexOf(key);
    if (this.#keys[index] === key) this.#keys.splice(index, 1);
  }

  /** Where the keys that begin with `prefix`, and are not before `start`, begin and end. */
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
      // Two runs in order, which sorting takes in one pass.
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

/** The first text that no longer begins with `prefix`. */
function afterPrefix(prefix: string): string {
  return prefix.slice(0, -1) + String.fromCharCode(prefix.charCodeAt(prefix.length - 1) + 1);
}
