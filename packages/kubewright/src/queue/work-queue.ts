import { type Clock, type RateLimit, type Timer, TokenBucket } from "@kubewright/core/clock";
import { DelayHeap } from "./delay-heap.js";
import { ItemBackoff } from "./item-backoff.js";
import { type Ready, ReadyKeys } from "./ready-keys.js";

/** Is told what happens in a queue; for metrics and traces. Must not throw. */
export interface QueueObserver {
  /** A key became ready that was not ready before. */
  added?(key: string): void;
  /** A worker took a key that had been ready for `waitedMs`. */
  taken?(key: string, waitedMs: number): void;
  /** A worker is done with a key after `workedMs`. */
  done?(key: string, workedMs: number): void;
  /** A key was added to be tried again later. */
  retried?(key: string, delayMs: number): void;
}

/** How a queue keeps time, backs off, and whom it tells. */
export interface QueueOptions<C = never> {
  readonly clock: Clock;
  /** How urgent a cause is: keys with a higher number come first, the highest of a key's causes counts. @default 0 for all */
  readonly priorityOf?: (cause: C) => number;
  /** Delay after the first failure of a key. @default 5 */
  readonly baseDelayMs?: number;
  /** Upper bound of the delay, however often a key fails. @default 1_000_000 */
  readonly maxDelayMs?: number;
  /** Limits the retries of all keys together. None where it is left out. */
  readonly rateLimit?: RateLimit;
  /** How many causes one entry keeps; when there are more, the oldest go. @default 20 */
  readonly maxCauses?: number;
  /** Whether a ready key waits until all else of this turn of the event loop is done, so that what comes together is taken once. @default false */
  readonly gather?: boolean;
  readonly observer?: QueueObserver;
}

/** A key that a worker took, with every cause that was given for it since it was last taken, oldest first. */
export interface QueueEntry<C> {
  readonly key: string;
  readonly priority: number;
  readonly causes: readonly C[];
  /** How many causes came beyond those kept. */
  readonly droppedCauses: number;
}

/** All that a queue knows of a key, for as long as it is ready, delayed or worked on. */
interface Item<C> {
  readonly key: string;
  /** What was given for it since it was last taken. */
  causes: C[] | undefined;
  dropped: number;
  /** The highest priority that it was added with since it was last taken; undefined when it was not added. */
  priority: number | undefined;
  ready: Ready<Item<C>> | undefined;
  /** Whether it was added while it was worked on. */
  isDirty: boolean;
  isRunning: boolean;
  /** Since when it is worked on, and with which priority. */
  runningSinceMs: number;
  runningPriority: number;
}

/**
 * Which key to work on next: a set of keys in the order in which they became ready, the more urgent ones first.
 *
 * Promises: a key that is added twice before it is taken, is taken once, with both causes. A key is never with two
 * workers: one that is added while it is worked on, becomes ready again when its worker is done. A key that waits for
 * a moment becomes ready at the earliest one asked for. A key has the highest priority that it was added with since it was last taken,
 * and keeps it when its worker puts it back; one of a low priority is not left waiting for ever. After `shutDown` nothing is added any more.
 */
export class WorkQueue<C = never> {
  readonly #clock: Clock;
  readonly #maxCauses: number;
  readonly #observer: QueueObserver;
  readonly #backoff: ItemBackoff;
  readonly #bucket: TokenBucket | undefined;
  readonly #priorityOf: (cause: C) => number;
  readonly #items = new Map<string, Item<C>>();
  readonly #ready = new ReadyKeys<Item<C>>();
  /** In the order in which they were taken. */
  readonly #running = new Set<Item<C>>();
  readonly #delayed = new DelayHeap();
  readonly #takers: ((entry: QueueEntry<C> | undefined) => void)[] = [];
  readonly #drainers: (() => void)[] = [];
  #timer: { readonly dueMs: number; readonly timer: Timer } | undefined;
  readonly #gathers: boolean;
  #handingOver: NodeJS.Immediate | undefined;
  #closed = false;

  constructor(options: QueueOptions<C>) {
    const { clock, baseDelayMs = 5, maxDelayMs = 1_000_000, rateLimit, maxCauses = 20, gather = false } = options;
    this.#clock = clock;
    this.#gathers = gather;
    this.#priorityOf = options.priorityOf ?? (() => 0);
    this.#maxCauses = maxCauses;
    this.#observer = options.observer ?? {};
    this.#backoff = new ItemBackoff(baseDelayMs, maxDelayMs);
    this.#bucket = rateLimit && new TokenBucket(clock, rateLimit);
  }

  /** How many keys are ready and wait for a worker. */
  get length(): number {
    return this.#ready.size;
  }

  /** How many keys are ready, by priority. */
  get lengths(): ReadonlyMap<number, number> {
    return this.#ready.sizes;
  }

  /** How many keys wait for a moment in the future. */
  get delayed(): number {
    return this.#delayed.size;
  }

  /** When the next delayed key becomes ready, by the clock's monotonic time; undefined when none waits. */
  get nextDelayedAtMs(): number | undefined {
    return this.#delayed.nextDueMs;
  }

  /** The keys that are worked on now. */
  get running(): readonly string[] {
    return Array.from(this.#running, ({ key }) => key);
  }

  /** Nothing is ready and nothing is worked on. Delayed keys do not count. */
  get idle(): boolean {
    return this.#ready.size === 0 && this.#running.size === 0;
  }

  /** The sum of the times for which the keys now worked on have been with their workers. */
  get unfinishedWorkMs(): number {
    const nowMs = this.#clock.monotonic();
    let sum = 0;
    for (const { runningSinceMs } of this.#running) sum += nowMs - runningSinceMs;
    return sum;
  }

  /** For how long the key that has been with its worker longest has been there; 0 when none is worked on. */
  get longestRunningMs(): number {
    const nowMs = this.#clock.monotonic();
    let longest = 0;
    for (const { runningSinceMs } of this.#running) longest = Math.max(longest, nowMs - runningSinceMs);
    return longest;
  }

  /** Makes `key` ready now, or, when it is worked on, as soon as its worker is done. */
  add(key: string, cause?: C): void {
    if (this.#closed) return;
    const item = this.#itemOf(key);
    this.#note(item, cause, cause === undefined ? 0 : this.#priorityOf(cause));
    this.#makeReady(item);
  }

  /**
   * Makes `key` ready in `delayMs`, or sooner when it was asked for sooner. Zero or less means now. A key that is worked on keeps its
   * priority: it is its worker that puts it back.
   */
  addAfter(key: string, delayMs: number, cause?: C): void {
    if (this.#closed) return;
    const item = this.#itemOf(key);
    const asked = cause === undefined ? 0 : this.#priorityOf(cause);
    this.#note(item, cause, item.isRunning ? item.runningPriority : asked);
    if (delayMs <= 0) {
      this.#makeReady(item);
    } else {
      this.#delayed.add(key, this.#clock.monotonic() + delayMs);
      this.#arm();
    }
  }

  /** Makes `key` ready after a delay that doubles with each call since `forget`, or later by the rate limit. Gives that delay. */
  addRateLimited(key: string, cause?: C): number {
    const delayMs = Math.max(this.#backoff.next(key), this.#bucket?.reserve() ?? 0);
    this.#observer.retried?.(key, delayMs);
    if (cause === undefined) this.addAfter(key, delayMs);
    else this.addAfter(key, delayMs, cause);
    return delayMs;
  }

  /** The next failure of `key` counts as its first. */
  forget(key: string): void {
    this.#backoff.forget(key);
  }

  /** How often `key` was added rate limited since it was forgotten. */
  failures(key: string): number {
    return this.#backoff.failures(key);
  }

  /** The next ready key, as soon as there is one; undefined once the queue is shut down and empty. The taker must call `done`. */
  take(): Promise<QueueEntry<C> | undefined> {
    const entry = this.#gathers && !this.#closed ? undefined : this.#takeReady();
    if (entry !== undefined || this.#closed) return Promise.resolve(entry);
    return new Promise((resolve) => {
      this.#takers.push(resolve);
      this.#handOver();
    });
  }

  /** Gives `key` back. When it was added meanwhile, it is ready again. */
  done(key: string): void {
    const item = this.#items.get(key);
    if (item === undefined || !item.isRunning) return;
    item.isRunning = false;
    this.#running.delete(item);
    this.#observer.done?.(key, this.#clock.monotonic() - item.runningSinceMs);
    if (item.isDirty) {
      item.isDirty = false;
      this.#makeReady(item);
    } else if (!this.#delayed.has(key)) {
      this.#items.delete(key);
    }
    if (this.#closed && this.idle) for (const drained of this.#drainers.splice(0)) drained();
  }

  /**
   * Takes no more keys in, and forgets those that are delayed. Resolves when no key is ready or worked on: workers
   * finish what is queued, unless `drop` throws it away.
   */
  shutDown({ drop = false }: { readonly drop?: boolean } = {}): Promise<void> {
    this.#closed = true;
    this.#timer?.timer.cancel();
    this.#timer = undefined;
    this.#delayed.clear();
    if (drop) {
      this.#ready.clear();
      for (const item of this.#items.values()) {
        item.ready = undefined;
        item.isDirty = false;
      }
    }
    clearImmediate(this.#handingOver);
    this.#giveReady();
    for (const taker of this.#takers.splice(0)) taker(undefined);
    return this.idle ? Promise.resolve() : new Promise((resolve) => this.#drainers.push(resolve));
  }

  #itemOf(key: string): Item<C> {
    let item = this.#items.get(key);
    if (item === undefined) {
      item = {
        key,
        causes: undefined,
        dropped: 0,
        priority: undefined,
        ready: undefined,
        isDirty: false,
        isRunning: false,
        runningSinceMs: 0,
        runningPriority: 0,
      };
      this.#items.set(key, item);
    }
    return item;
  }

  #note(item: Item<C>, cause: C | undefined, priority: number): void {
    if (item.priority === undefined || item.priority < priority) item.priority = priority;
    if (cause === undefined) return;
    item.causes ??= [];
    item.causes.push(cause);
    if (item.causes.length <= this.#maxCauses) return;
    item.causes.shift();
    item.dropped += 1;
  }

  #makeReady(item: Item<C>): void {
    // Being ready now is earlier than any moment that the key waits for.
    this.#delayed.remove(item.key);
    if (item.isRunning) {
      item.isDirty = true;
      return;
    }
    const { priority = 0 } = item;
    if (item.ready !== undefined) {
      item.ready = this.#ready.raise(item.ready, priority);
      return;
    }
    item.ready = this.#ready.add(item, priority, this.#clock.monotonic());
    this.#observer.added?.(item.key);
    this.#handOver();
  }

  /** Gives ready keys to those who wait for one: between "ready" and "running" there is no moment at which the queue looks idle. */
  #handOver(): void {
    if (!this.#gathers) this.#giveReady();
    else if (this.#takers.length > 0 && this.#ready.size > 0)
      this.#handingOver ??= setImmediate(() => {
        this.#handingOver = undefined;
        this.#giveReady();
      });
  }

  #giveReady(): void {
    while (this.#takers.length > 0 && this.#ready.size > 0) this.#takers.shift()?.(this.#takeReady());
  }

  #takeReady(): QueueEntry<C> | undefined {
    const next = this.#ready.take();
    if (next === undefined) return undefined;
    const { item, priority } = next;
    const { key, causes = [], dropped } = item;
    const nowMs = this.#clock.monotonic();
    item.causes = undefined;
    item.dropped = 0;
    item.priority = undefined;
    item.ready = undefined;
    item.isRunning = true;
    item.runningSinceMs = nowMs;
    item.runningPriority = priority;
    this.#running.add(item);
    this.#observer.taken?.(key, nowMs - next.sinceMs);
    return { key, priority, causes, droppedCauses: dropped };
  }

  /** One timer serves all delayed keys: it stands at the earliest. */
  #arm(): void {
    const dueMs = this.#delayed.nextDueMs;
    if (this.#timer !== undefined && this.#timer.dueMs === dueMs) return;
    this.#timer?.timer.cancel();
    this.#timer = undefined;
    if (dueMs === undefined) return;
    const timer = this.#clock.startTimer(dueMs - this.#clock.monotonic(), () => {
      this.#timer = undefined;
      this.#promoteDue();
    });
    this.#timer = { dueMs, timer };
  }

  #promoteDue(): void {
    const nowMs = this.#clock.monotonic();
    for (let key = this.#delayed.takeDue(nowMs); key !== undefined; key = this.#delayed.takeDue(nowMs))
      this.#makeReady(this.#itemOf(key));
    this.#arm();
  }
}
