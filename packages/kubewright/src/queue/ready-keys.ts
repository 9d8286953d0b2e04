/** A ready item, with its priority and the time since when it is ready. */
export interface Ready<T> {
  readonly item: T;
  readonly priority: number;
  readonly sinceMs: number;
  /** False once it was taken or moved to a higher priority. */
  waits: boolean;
}

/** The items of one priority, first in, first out. Items that moved to a higher priority are skipped. */
interface Level<T> {
  readonly priority: number;
  line: Ready<T>[];
  /** Index of the first item that was not passed. */
  head: number;
  /** Number of items that still wait here. */
  size: number;
}

/** After this many consecutive items of a higher priority, one of a lower priority is next. */
const overtakesInARow = 9;
/** The line is compacted when it has more passed items than this, and more than waiting items. */
const passedKept = 1_024;
/** An empty line shorter than this is kept: a new array for each single key would cost more. */
const passedUnused = 64;
/** Empty levels up to this number are kept, because the next key often has the priority of the last. */
const emptyKept = 4;

/**
 * A priority queue of ready items: higher priority first, first in, first out within a priority.
 *
 * No starvation: every tenth item is the longest-waiting one of a lower priority, so the n-th item of its priority waits for at most 10 n others. Each
 * operation is O(1) in the number of items.
 */
export class ReadyKeys<T> {
  /** By priority, highest first. There are few: each operation scans all of them. */
  #levels: readonly Level<T>[] = [];
  #size = 0;
  #overtakes = 0;

  get size(): number {
    return this.#size;
  }

  /** Number of ready items, by priority. */
  get sizes(): ReadonlyMap<number, number> {
    const filled = this.#levels.filter(({ size }) => size > 0);
    return new Map(filled.map(({ priority, size }) => [priority, size]));
  }

  /** Adds an item that is not in the queue, ready since `sinceMs`. */
  add(item: T, priority: number, sinceMs: number): Ready<T> {
    const ready: Ready<T> = { item, priority, sinceMs, waits: true };
    const level = this.#levelOf(priority);
    level.line.push(ready);
    level.size += 1;
    this.#size += 1;
    return ready;
  }

  /** Moves an item to the end of a higher priority; with a lower or equal one it keeps its place. */
  raise(ready: Ready<T>, priority: number): Ready<T> {
    if (ready.priority >= priority) return ready;
    this.#leave(ready, this.#levelOf(ready.priority));
    return this.add(ready.item, priority, ready.sinceMs);
  }

  /** Removes and returns the next item; undefined if there is none. */
  take(): Ready<T> | undefined {
    if (this.#size === 0) return undefined;
    const filled = this.#levels.length === 1 ? this.#levels : this.#levels.filter(({ size }) => size > 0);
    const [top, second] = filled;
    if (top === undefined) return undefined;
    const waited = second !== undefined && this.#overtakes >= overtakesInARow;
    const level = waited ? this.#longestReady(filled) : top;
    this.#overtakes = waited || second === undefined ? 0 : this.#overtakes + 1;
    const first = this.#first(level);
    if (first === undefined) return undefined;
    level.head += 1;
    this.#leave(first, level);
    return first;
  }

  clear(): void {
    this.#levels = [];
    this.#size = 0;
  }

  /** Returns the first waiting item of a level, and passes those before it. */
  #first(level: Level<T>): Ready<T> | undefined {
    for (; level.head < level.line.length; level.head++) {
      const ready = level.line[level.head];
      if (ready?.waits === true) {
        if (level.head > passedKept && level.head > level.size) {
          level.line = level.line.slice(level.head);
          level.head = 0;
        }
        return ready;
      }
    }
    return undefined;
  }

  /** Returns the lower level whose first item has waited longest. */
  #longestReady(filled: readonly Level<T>[]): Level<T> {
    const headSince = (level: Level<T>): number => this.#first(level)?.sinceMs ?? Number.POSITIVE_INFINITY;
    return filled.slice(1).reduce((longest, level) => (headSince(level) < headSince(longest) ? level : longest));
  }

  #levelOf(priority: number): Level<T> {
    for (const level of this.#levels) if (level.priority === priority) return level;
    const made: Level<T> = { priority, line: [], head: 0, size: 0 };
    const kept = this.#levels.length < emptyKept ? this.#levels : this.#levels.filter(({ size }) => size > 0);
    this.#levels = [...kept, made].sort((a, b) => b.priority - a.priority);
    return made;
  }

  #leave(ready: Ready<T>, level: Level<T>): void {
    ready.waits = false;
    level.size -= 1;
    this.#size -= 1;
    if (level.size > 0 || level.line.length < passedUnused) return;
    level.line = [];
    level.head = 0;
  }
}
