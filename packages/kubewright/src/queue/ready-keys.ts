/** A key that was taken, with the priority and the time at which it became ready. */
export interface ReadyKey {
  readonly key: string;
  readonly priority: number;
  readonly sinceMs: number;
}

/** Keys of one priority in the order in which they came. Those that left for a higher priority are passed over when their turn comes. */
interface Level {
  readonly priority: number;
  line: ReadyKey[];
  /** The first place of the line that was not passed. */
  head: number;
  /** How many of the line are still ready here. */
  size: number;
}

/** After so many keys in a row that overtook others, one that was overtaken is next. */
const overtakesInARow = 9;
/** So many places that were passed are kept before the line is copied: not each time, and never more than are ready. */
const passedKept = 1_024;

/**
 * Keys that are ready: of a higher priority first, in one priority in the order in which they came.
 *
 * A key that is overtaken again and again comes all the same: every tenth key is the one of a lower priority that has been ready longest.
 * So a key that stands at place n of its priority waits for at most 10 n others. Each operation takes the same time, however many keys are ready.
 */
export class ReadyKeys {
  /** By priority, the highest first; none is empty. There are few: each operation looks at all of them. */
  #levels: readonly Level[] = [];
  readonly #ready = new Map<string, ReadyKey>();
  #overtakes = 0;

  get size(): number {
    return this.#ready.size;
  }

  /** How many keys are ready, by priority. */
  get sizes(): ReadonlyMap<number, number> {
    return new Map(this.#levels.map(({ priority, size }) => [priority, size]));
  }

  has(key: string): boolean {
    return this.#ready.has(key);
  }

  /** Makes a key ready since `sinceMs`. One that is ready already keeps its place, or goes to the end of a higher priority. */
  add(key: string, priority: number, sinceMs: number): void {
    const known = this.#ready.get(key);
    if (known !== undefined && known.priority >= priority) return;
    const entry: ReadyKey = { key, priority, sinceMs: known?.sinceMs ?? sinceMs };
    this.#ready.set(key, entry);
    const level = this.#levelOf(priority);
    level.line.push(entry);
    level.size += 1;
    if (known !== undefined) this.#leave(this.#levelOf(known.priority));
  }

  /** Removes and gives the next key; undefined when none is ready. */
  take(): ReadyKey | undefined {
    const top = this.#levels[0];
    if (top === undefined) return undefined;
    const second = this.#levels[1];
    const waited = second !== undefined && this.#overtakes >= overtakesInARow;
    const level = waited ? this.#longestReady(second) : top;
    this.#overtakes = waited || second === undefined ? 0 : this.#overtakes + 1;
    const first = this.#first(level);
    if (first === undefined) return undefined;
    level.head += 1;
    this.#ready.delete(first.key);
    this.#leave(level);
    return first;
  }

  clear(): void {
    this.#levels = [];
    this.#ready.clear();
  }

  /** The first of a level that is still ready there; what stands before it is passed. */
  #first(level: Level): ReadyKey | undefined {
    for (; level.head < level.line.length; level.head++) {
      const entry = level.line[level.head];
      if (entry !== undefined && this.#ready.get(entry.key) === entry) {
        if (level.head > passedKept && level.head > level.size) {
          level.line = level.line.slice(level.head);
          level.head = 0;
        }
        return entry;
      }
    }
    return undefined;
  }

  /** Of the levels from `second` on, the one whose first key has been ready longest. */
  #longestReady(second: Level): Level {
    const headSince = (level: Level): number => this.#first(level)?.sinceMs ?? Number.POSITIVE_INFINITY;
    return this.#levels
      .slice(2)
      .reduce((longest, level) => (headSince(level) < headSince(longest) ? level : longest), second);
  }

  #levelOf(priority: number): Level {
    for (const level of this.#levels) if (level.priority === priority) return level;
    const made: Level = { priority, line: [], head: 0, size: 0 };
    this.#levels = [...this.#levels, made].sort((a, b) => b.priority - a.priority);
    return made;
  }

  #leave(level: Level): void {
    level.size -= 1;
    if (level.size === 0) this.#levels = this.#levels.filter((other) => other !== level);
  }
}
