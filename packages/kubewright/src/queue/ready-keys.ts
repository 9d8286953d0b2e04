/** A key that was taken, with the priority and the time at which it became ready. */
export interface ReadyKey {
  readonly key: string;
  readonly priority: number;
  readonly sinceMs: number;
}

interface Level {
  readonly priority: number;
  /** With the time at which each became ready, in order. */
  readonly keys: Map<string, number>;
}

/** After so many keys in a row that overtook others, one that was overtaken is next. */
const overtakesInARow = 9;

/**
 * Keys that are ready: of a higher priority first, in one priority in the order in which they came.
 *
 * A key that is overtaken again and again comes all the same: every tenth key is the one of a lower priority that has been ready longest.
 * So a key that stands at place n of its priority waits for at most 10 n others.
 */
export class ReadyKeys {
  /** By priority, the highest first; none is empty. There are few: each operation looks at all of them. */
  #levels: readonly Level[] = [];
  #size = 0;
  #overtakes = 0;

  get size(): number {
    return this.#size;
  }

  /** How many keys are ready, by priority. */
  get sizes(): ReadonlyMap<number, number> {
    return new Map(this.#levels.map(({ priority, keys }) => [priority, keys.size]));
  }

  has(key: string): boolean {
    return this.#levels.some(({ keys }) => keys.has(key));
  }

  /** Makes a key ready since `sinceMs`. One that is ready already keeps its place, or goes to the end of a higher priority. */
  add(key: string, priority: number, sinceMs: number): void {
    const level = this.#levels.find(({ keys }) => keys.has(key));
    if (level !== undefined && level.priority >= priority) return;
    const since = level?.keys.get(key) ?? sinceMs;
    if (level !== undefined) this.#remove(level, key);
    this.#levelOf(priority).keys.set(key, since);
    this.#size += 1;
  }

  /** Removes and gives the next key; undefined when none is ready. */
  take(): ReadyKey | undefined {
    const [top, second, ...lower] = this.#levels;
    if (top === undefined) return undefined;
    const waited = second !== undefined && this.#overtakes >= overtakesInARow;
    const level = waited ? longestReady(second, lower) : top;
    this.#overtakes = waited || second === undefined ? 0 : this.#overtakes + 1;
    for (const [key, sinceMs] of level.keys) {
      this.#remove(level, key);
      return { key, priority: level.priority, sinceMs };
    }
    return undefined;
  }

  clear(): void {
    this.#levels = [];
    this.#size = 0;
  }

  #levelOf(priority: number): Level {
    const known = this.#levels.find((level) => level.priority === priority);
    if (known !== undefined) return known;
    const made: Level = { priority, keys: new Map() };
    this.#levels = [...this.#levels, made].sort((a, b) => b.priority - a.priority);
    return made;
  }

  #remove(level: Level, key: string): void {
    level.keys.delete(key);
    this.#size -= 1;
    if (level.keys.size === 0) this.#levels = this.#levels.filter((other) => other !== level);
  }
}

/** The level whose first key has been ready longest. */
function longestReady(first: Level, others: readonly Level[]): Level {
  return others.reduce((longest, level) => (headSince(level) < headSince(longest) ? level : longest), first);
}

function headSince({ keys }: Level): number {
  for (const sinceMs of keys.values()) return sinceMs;
  return Number.POSITIVE_INFINITY;
}
