/** What is ready: a key with all that the queue knows of it, its priority, and since when. */
export interface Ready<T> {
  readonly item: T;
  readonly priority: number;
  readonly sinceMs: number;
  /** Whether it still waits here: not when it was taken, or went to a higher priority. */
  waits: boolean;
}

/** Items of one priority in the order in which they came. Those that left for a higher priority are passed over when their turn comes. */
interface Level<T> {
  readonly priority: number;
  line: Ready<T>[];
  /** The first place of the line that was not passed. */
  head: number;
  /** How many of the line are still ready here. */
  size: number;
}

/** After so many keys in a row that overtook others, one that was overtaken is next. */
const overtakesInARow = 9;
/** So many places that were passed are kept before the line is copied: not each time, and never more than are ready. */
const passedKept = 1_024;
/** So many places that were passed are kept where nothing is ready any more: a new line for each single key would cost more. */
const passedUnused = 64;
/** So many levels are kept although nothing is ready there: mostly the next key has the priority of the last. */
const emptyKept = 4;

/**
 * Items that are ready: of a higher priority first, in one priority in the order in which they came.
 *
 * An item that is overtaken again and again comes all the same: every tenth one is the one of a lower priority that has been ready longest.
 * So an item that stands at place n of its priority waits for at most 10 n others. Each operation takes the same time, however many are ready.
 */
export class ReadyKeys<T> {
  /** By priority, the highest first. There are few: each operation looks at all of them. */
  #levels: readonly Level<T>[] = [];
  #size = 0;
  #overtakes = 0;

  get size(): number {
    return this.#size;
  }

  /** How many items are ready, by priority. */
  get sizes(): ReadonlyMap<number, number> {
    const filled = this.#levels.filter(({ size }) => size > 0);
    return new Map(filled.map(({ priority, size }) => [priority, size]));
  }

  /** Makes an item ready since `sinceMs`, which is not. */
  add(item: T, priority: number, sinceMs: number): Ready<T> {
    const ready: Ready<T> = { item, priority, sinceMs, waits: true };
    const level = this.#levelOf(priority);
    level.line.push(ready);
    level.size += 1;
    this.#size += 1;
    return ready;
  }

  /** What is ready goes to the end of a higher priority; elsewhere it keeps its place. */
  raise(ready: Ready<T>, priority: number): Ready<T> {
    if (ready.priority >= priority) return ready;
    this.#leave(ready, this.#levelOf(ready.priority));
    return this.add(ready.item, priority, ready.sinceMs);
  }

  /** Removes and gives the next; undefined when nothing is ready. */
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

  /** The first of a level that is still ready there; what stands before it is passed. */
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

  /** Of the levels from the second on, the one whose first item has been ready longest. */
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
