import { type Clock, type RateLimit, type Timer, TokenBucket } from "@kubewright/core/clock";
import { DelayHeap } from "./delay-heap.js";
import { ItemBackoff } from "./item-backoff.js";
import { ReadyKeys } from "./ready-keys.js";

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

interface Gathered<C> {
  readonly causes: C[];
  dropped: number;
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
  readonly #ready = new ReadyKeys();
  /** Keys with a worker, with the time at which it took them and their priority. */
  readonly #running = new Map<string, { readonly sinceMs: number; readonly priority: number }>();
  /** The highest priority that each key was added with since it was last taken. */
  readonly #priorities = new Map<string, number>();
  /** Keys that were added while they ran. */
  readonly #dirty = new Set<string>();
  readonly #delayed = new DelayHeap();
  readonly #causes = new Map<string, Gathered<C>>();
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
    return [...this.#running.keys()];
  }

  /** Nothing is ready and nothing is worked on. Delayed keys do not count. */
  get idle(): boolean {
    return this.#ready.size === 0 && this.#running.size === 0;
  }

  /** The sum of the times for which the keys now worked on have been with their workers. */
  get unfinishedWorkMs(): number {
    const nowMs = this.#clock.monotonic();
    let sum = 0;
    for (const { sinceMs } of this.#running.values()) sum += nowMs - sinceMs;
    return sum;
  }

  /** For how long the key that has been with its worker longest has been there; 0 when none is worked on. */
  get longestRunningMs(): number {
    const nowMs = this.#clock.monotonic();
    let longest = 0;
    for (const { sinceMs } of this.#running.values()) longest = Math.max(longest, nowMs - sinceMs);
    return longest;
  }

  /** Makes `key` ready now, or, when it is worked on, as soon as its worker is done. */
  add(key: string, ...causes: readonly C[]): void {
    if (this.#closed) return;
    this.#gather(key, causes);
    this.#raise(key, this.#priorityOfAll(causes));
    this.#makeReady(key);
  }

  /**
   * Makes `key` ready in `delayMs`, or sooner when it was asked for sooner. Zero or less means now. A key that is worked on keeps its
   * priority: it is its worker that puts it back.
   */
  addAfter(key: string, delayMs: number, ...causes: readonly C[]): void {
    if (this.#closed) return;
    this.#gather(key, causes);
    this.#raise(key, this.#running.get(key)?.priority ?? this.#priorityOfAll(causes));
    if (delayMs <= 0) {
      this.#makeReady(key);
    } else {
      this.#delayed.add(key, this.#clock.monotonic() + delayMs);
      this.#arm();
    }
  }

  /** Makes `key` ready after a delay that doubles with each call since `forget`, or later by the rate limit. Gives that delay. */
  addRateLimited(key: string, ...causes: readonly C[]): number {
    const delayMs = Math.max(this.#backoff.next(key), this.#bucket?.reserve() ?? 0);
    this.#observer.retried?.(key, delayMs);
    this.addAfter(key, delayMs, ...causes);
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
    const run = this.#running.get(key);
    if (run === undefined) return;
    this.#running.delete(key);
    this.#observer.done?.(key, this.#clock.monotonic() - run.sinceMs);
    if (this.#dirty.delete(key)) this.#makeReady(key);
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
      this.#dirty.clear();
    }
    clearImmediate(this.#handingOver);
    this.#giveReady();
    for (const taker of this.#takers.splice(0)) taker(undefined);
    return this.idle ? Promise.resolve() : new Promise((resolve) => this.#drainers.push(resolve));
  }

  #makeReady(key: string): void {
    // Being ready now is earlier than any moment that the key waits for.
    this.#delayed.remove(key);
    if (this.#running.has(key)) {
      this.#dirty.add(key);
      return;
    }
    const known = this.#ready.has(key);
    this.#ready.add(key, this.#priorities.get(key) ?? 0, this.#clock.monotonic());
    if (known) return;
    this.#observer.added?.(key);
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
    const { key, priority } = next;
    const nowMs = this.#clock.monotonic();
    this.#running.set(key, { sinceMs: nowMs, priority });
    this.#priorities.delete(key);
    const gathered = this.#causes.get(key);
    this.#causes.delete(key);
    this.#observer.taken?.(key, nowMs - next.sinceMs);
    return { key, priority, causes: gathered?.causes ?? [], droppedCauses: gathered?.dropped ?? 0 };
  }

  #priorityOfAll(causes: readonly C[]): number {
    if (causes.length === 0) return 0;
    let highest = Number.NEGATIVE_INFINITY;
    for (const cause of causes) highest = Math.max(highest, this.#priorityOf(cause));
    return highest;
  }

  #raise(key: string, priority: number): void {
    this.#priorities.set(key, Math.max(priority, this.#priorities.get(key) ?? Number.NEGATIVE_INFINITY));
  }

  #gather(key: string, causes: readonly C[]): void {
    if (causes.length === 0) return;
    let gathered = this.#causes.get(key);
    if (gathered === undefined) {
      gathered = { causes: [], dropped: 0 };
      this.#causes.set(key, gathered);
    }
    gathered.causes.push(...causes);
    const surplus = gathered.causes.length - this.#maxCauses;
    if (surplus > 0) {
      gathered.causes.splice(0, surplus);
      gathered.dropped += surplus;
    }
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
      this.#makeReady(key);
    this.#arm();
  }
}
