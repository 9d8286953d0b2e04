import { type Clock, type RateLimit, type Timer, TokenBucket } from "@kubewright/core/clock";
import { DelayHeap } from "./delay-heap.js";
import { ItemBackoff } from "./item-backoff.js";
import { type Ready, ReadyKeys } from "./ready-keys.js";

/** Callbacks for metrics and traces of a queue. Must not throw. */
export interface QueueObserver {
  /** A key became ready. */
  added?(key: string): void;
  /** A worker took a key after it was ready for `waitedMs`. */
  taken?(key: string, waitedMs: number): void;
  /** A worker finished a key after `workedMs`. */
  done?(key: string, workedMs: number): void;
  /** A key was added rate limited. */
  retried?(key: string, delayMs: number): void;
}

/** Options of {@link WorkQueue}. */
export interface QueueOptions<C = never> {
  readonly clock: Clock;
  /** Priority of a cause: higher first; a key has the highest priority of its causes. @default 0 for all */
  readonly priorityOf?: (cause: C) => number;
  /**
   * Whether a cause only says that a delay has passed. It is dropped when the key becomes ready before its due time. @default false for all
   */
  readonly isDueTime?: (cause: C) => boolean;
  /** Delay after the first failure of a key. @default 5 */
  readonly baseDelayMs?: number;
  /** Maximum delay of a failing key. @default 1_000_000 */
  readonly maxDelayMs?: number;
  /** Overall rate limit of retries. @default none */
  readonly rateLimit?: RateLimit;
  /** Maximum number of causes per entry; the oldest are dropped. @default 20 */
  readonly maxCauses?: number;
  /** Whether a ready key waits for the end of the event loop turn, so that changes that arrive together cause one run. @default false */
  readonly gather?: boolean;
  readonly observer?: QueueObserver;
}

/** A key taken by a worker, with all causes since it was last taken, oldest first. */
export interface QueueEntry<C> {
  readonly key: string;
  readonly priority: number;
  readonly causes: readonly C[];
  /** Number of causes dropped because of `maxCauses`. */
  readonly droppedCauses: number;
}

/** The state of a key while it is ready, delayed or running. */
interface Item<C> {
  readonly key: string;
  /** Causes since it was last taken. */
  causes: C[] | undefined;
  dropped: number;
  /** A cause that counts from its due time on. */
  waiting: { readonly cause: C; readonly dueMs: number } | undefined;
  /** The highest priority since it was last taken; undefined if it was not added. */
  priority: number | undefined;
  ready: Ready<Item<C>> | undefined;
  /** Whether it was added while it is running. */
  isDirty: boolean;
  isRunning: boolean;
  /** Since when it is running, and with which priority. */
  runningSinceMs: number;
  runningPriority: number;
}

/**
 * A work queue with delays, per-key backoff and priorities.
 *
 * Guarantees: a key that is added twice before it is taken is taken once, with both causes. Two workers never have the same key: a key that is
 * added while it is running becomes ready again after `done`. A delayed key becomes ready at its earliest due time. A key has the highest priority
 * since it was last taken, and keeps it when its worker re-adds it; a low priority does not starve. After `shutDown` no key is added.
 */
export class WorkQueue<C = never> {
  readonly #clock: Clock;
  readonly #maxCauses: number;
  readonly #observer: QueueObserver;
  readonly #backoff: ItemBackoff;
  readonly #bucket: TokenBucket | undefined;
  readonly #priorityOf: (cause: C) => number;
  readonly #isDueTime: (cause: C) => boolean;
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
    this.#isDueTime = options.isDueTime ?? (() => false);
    this.#maxCauses = maxCauses;
    this.#observer = options.observer ?? {};
    this.#backoff = new ItemBackoff(baseDelayMs, maxDelayMs);
    this.#bucket = rateLimit && new TokenBucket(clock, rateLimit);
  }

  /** Number of ready keys. */
  get length(): number {
    return this.#ready.size;
  }

  /** Number of ready keys, by priority. */
  get lengths(): ReadonlyMap<number, number> {
    return this.#ready.sizes;
  }

  /** Number of delayed keys. */
  get delayed(): number {
    return this.#delayed.size;
  }

  /** When the next delayed key becomes ready, by the monotonic clock; undefined if none is delayed. */
  get nextDelayedAtMs(): number | undefined {
    return this.#delayed.nextDueMs;
  }

  /** The running keys. */
  get running(): readonly string[] {
    return Array.from(this.#running, ({ key }) => key);
  }

  /** Whether no key is ready or running. Delayed keys do not count. */
  get idle(): boolean {
    return this.#ready.size === 0 && this.#running.size === 0;
  }

  /** The sum of the run times of the running keys. */
  get unfinishedWorkMs(): number {
    const nowMs = this.#clock.monotonic();
    let sum = 0;
    for (const { runningSinceMs } of this.#running) sum += nowMs - runningSinceMs;
    return sum;
  }

  /** The run time of the longest running key; 0 if none is running. */
  get longestRunningMs(): number {
    const nowMs = this.#clock.monotonic();
    let longest = 0;
    for (const { runningSinceMs } of this.#running) longest = Math.max(longest, nowMs - runningSinceMs);
    return longest;
  }

  /** Makes `key` ready now, or after `done` if it is running. */
  add(key: string, cause?: C): void {
    if (this.#closed) return;
    const item = this.#itemOf(key);
    this.#note(item, cause, cause === undefined ? 0 : this.#priorityOf(cause));
    this.#makeReady(item);
  }

  /**
   * Makes `key` ready after `delayMs`, or at an earlier due time that it already has. Zero or less means now. Without a `priority`, a running key
   * keeps its own, because its worker re-adds it.
   */
  addAfter(key: string, delayMs: number, cause?: C, priority?: number): void {
    if (this.#closed) return;
    const item = this.#itemOf(key);
    const byDefault = (): number => (cause === undefined ? 0 : this.#priorityOf(cause));
    const dueMs = this.#clock.monotonic() + delayMs;
    const waits = delayMs > 0 && cause !== undefined && this.#isDueTime(cause);
    if (waits && dueMs < (item.waiting?.dueMs ?? Number.POSITIVE_INFINITY)) item.waiting = { cause, dueMs };
    this.#note(item, waits ? undefined : cause, priority ?? (item.isRunning ? item.runningPriority : byDefault()));
    if (delayMs <= 0) {
      this.#makeReady(item);
    } else {
      this.#delayed.add(key, dueMs);
      this.#arm();
    }
  }

  /**
   * Makes `key` ready after a backoff that doubles with each call since `forget`, or later by the rate limit. `delayOf` replaces the backoff, given the
   * number of these calls and the backoff. Returns the delay.
   */
  addRateLimited(key: string, cause?: C, delayOf?: (failures: number, backoffMs: number) => number): number {
    const backoffMs = this.#backoff.next(key);
    const ownMs = delayOf?.(this.#backoff.failures(key), backoffMs) ?? backoffMs;
    const delayMs = Math.max(ownMs, this.#bucket?.reserve() ?? 0);
    this.#observer.retried?.(key, delayMs);
    if (cause === undefined) this.addAfter(key, delayMs);
    else this.addAfter(key, delayMs, cause);
    return delayMs;
  }

  /** Resets the backoff of `key`. */
  forget(key: string): void {
    this.#backoff.forget(key);
  }

  /** How often `key` was added rate limited since `forget`. */
  failures(key: string): number {
    return this.#backoff.failures(key);
  }

  /** Waits for the next ready key; undefined once the queue is shut down and empty. The caller must call `done`. */
  take(): Promise<QueueEntry<C> | undefined> {
    const entry = this.#gathers && !this.#closed ? undefined : this.#takeReady();
    if (entry !== undefined || this.#closed) return Promise.resolve(entry);
    return new Promise((resolve) => {
      this.#takers.push(resolve);
      this.#handOver();
    });
  }

  /** Marks `key` as finished. If it was added meanwhile, it is ready again. */
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
   * Rejects new keys and drops delayed ones. Resolves when no key is ready or running: workers finish the ready keys, unless `drop` discards them.
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
    this.#handOverReady();
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
        waiting: undefined,
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
    if (cause !== undefined) this.#noteCause(item, cause);
  }

  #noteCause(item: Item<C>, cause: C): void {
    item.causes ??= [];
    item.causes.push(cause);
    if (item.causes.length <= this.#maxCauses) return;
    item.causes.shift();
    item.dropped += 1;
  }

  #makeReady(item: Item<C>): void {
    this.#enqueue(item);
    this.#handOver();
  }

  #enqueue(item: Item<C>): void {
    // Ready now is earlier than any due time.
    this.#delayed.remove(item.key);
    const { waiting } = item;
    item.waiting = undefined;
    if (waiting !== undefined && waiting.dueMs <= this.#clock.monotonic()) this.#noteCause(item, waiting.cause);
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
  }

  /** Hands ready keys to waiting workers. The queue is never idle between "ready" and "running". */
  #handOver(): void {
    if (!this.#gathers) this.#handOverReady();
    else if (this.#takers.length > 0 && this.#ready.size > 0)
      this.#handingOver ??= setImmediate(() => {
        this.#handingOver = undefined;
        this.#handOverReady();
      });
  }

  #handOverReady(): void {
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

  /** One timer for all delayed keys, set to the earliest due time. */
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
      this.#enqueue(this.#itemOf(key));
    // After all of them: keys that are due together are taken by priority.
    this.#handOver();
    this.#arm();
  }
}
