import type { Clock, Timer } from "@kubewright/core/clock";
import type { ApiStatus } from "@kubewright/core/errors";
import { formatApiVersion } from "@kubewright/core/identity";
import { deepFreeze, type JsonObject } from "@kubewright/core/json";
import {
  type Change,
  ExpiredError,
  type Store,
  type StoredRecord,
  type Watcher,
  type WatchStep,
} from "../storage/index.js";
import { expired } from "./api-failure.js";
import { metadataOf } from "./draft.js";
import type { ListQuery } from "./list-query.js";
import { tooLarge } from "./read.js";
import type { Resource } from "./resource.js";

/** One event of a watch, as it travels. */
export type WatchEvent =
  | { readonly type: "ADDED" | "MODIFIED" | "DELETED" | "BOOKMARK"; readonly object: JsonObject }
  | { readonly type: "ERROR"; readonly object: ApiStatus };

/** What a watch needs, beside its query. */
export interface WatchSource {
  readonly store: Store;
  readonly clock: Clock;
  readonly resource: Resource;
  /** Empty for all namespaces. */
  readonly namespace: string;
  readonly query: ListQuery;
  readonly signal: AbortSignal | undefined;
  /** How often a watch that allows it gets a bookmark. @default never, but before its end */
  readonly bookmarkEveryMs?: number;
}

/** How long before its end a watch gets a last bookmark. */
const lastBookmarkMs = 2_000;

/**
 * The events of a watch, in order. Ends at its time, when `signal` aborts, when the resource is no longer served, or when
 * the reader returns; after an ERROR event it ends too.
 */
export class WatchStream implements AsyncIterable<WatchEvent>, AsyncIterator<WatchEvent> {
  readonly #source: WatchSource;
  readonly #initial: readonly StoredRecord[];
  #nextInitial = 0;
  #endOfInitial: "none" | "due" = "none";
  #watcher: Watcher | undefined;
  #failure: WatchEvent | undefined;
  #pendingStep: Promise<WatchStep> | undefined;
  #bookmarkDue = false;
  #remind: (() => void) | undefined;
  readonly #timers: Timer[] = [];
  readonly #onAbort = (): void => this.close();

  constructor(source: WatchSource) {
    this.#source = source;
    const { store, resource, namespace, query, signal } = source;
    if (query.revision > store.revision) throw tooLarge(query.revision, store.revision);
    const bucket = store.bucket(resource.bucket);
    const prefix = namespace === "" ? "" : `${namespace}/`;
    const fromNow = query.revision === 0 || query.sendInitialEvents === true;
    const wantsInitial = query.sendInitialEvents ?? query.revision === 0;
    this.#initial = fromNow && wantsInitial ? bucket.list(prefix) : [];
    if (query.sendInitialEvents === true && query.allowBookmarks) this.#endOfInitial = "due";
    try {
      this.#watcher = bucket.watch({ after: fromNow ? store.revision : query.revision, prefix });
    } catch (error) {
      if (!(error instanceof ExpiredError)) throw error;
      this.#failure = expiredEvent(error);
    }
    signal?.addEventListener("abort", this.#onAbort, { once: true });
    if (signal?.aborted) this.close();
    else this.#startTimers();
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<IteratorResult<WatchEvent>> {
    // Without waiting where there is something: a reader that is behind must catch up with writers in the same process.
    const now = this.#advance();
    return now ? Promise.resolve(now) : this.#wait();
  }

  return(): Promise<IteratorResult<WatchEvent>> {
    this.close();
    return Promise.resolve({ done: true, value: undefined });
  }

  /** It is over: nothing more comes. */
  get closed(): boolean {
    return this.#watcher === undefined && this.#failure === undefined;
  }

  /** Ends the watch; a reader that waits is told so. */
  close(): void {
    this.#source.signal?.removeEventListener("abort", this.#onAbort);
    for (const timer of this.#timers) timer.cancel();
    this.#nextInitial = this.#initial.length;
    this.#endOfInitial = "none";
    this.#failure = undefined;
    this.#ready = undefined;
    this.#watcher?.close();
    this.#watcher = undefined;
  }

  #ready: WatchEvent | undefined;

  /** The next event, or the end, if it is there; undefined when one has to wait. */
  #advance(): IteratorResult<WatchEvent> | undefined {
    for (;;) {
      const event = this.#nextReady();
      if (event) return { done: false, value: event };
      if (!this.#watcher) return { done: true, value: undefined };
      // A step that is already being waited for comes first, or changes would change places.
      const step = this.#pendingStep ? undefined : this.#watcher.poll();
      if (!step) return undefined;
      this.#take(step);
    }
  }

  async #wait(): Promise<IteratorResult<WatchEvent>> {
    for (;;) {
      const step = this.#watcher && (await this.#step(this.#watcher));
      if (step) this.#take(step);
      const now = this.#advance();
      if (now) return now;
    }
  }

  /** What can be given without waiting. */
  #nextReady(): WatchEvent | undefined {
    const { resource, query } = this.#source;
    while (this.#nextInitial < this.#initial.length) {
      const record = this.#initial[this.#nextInitial++];
      const object = record && resource.fromStored(record.object);
      if (object && query.matches(object)) return { type: "ADDED", object };
    }
    if (this.#endOfInitial === "due") {
      this.#endOfInitial = "none";
      return this.#bookmark({ "k8s.io/initial-events-end": "true" });
    }
    const event = this.#failure ?? this.#ready;
    if (this.#failure) this.close();
    this.#ready = undefined;
    return event;
  }

  /** Waits for a change, or gives undefined when a bookmark fell due first. */
  async #step(watcher: Watcher): Promise<WatchStep | undefined> {
    this.#pendingStep ??= watcher.next();
    const reminder = new Promise<undefined>((resolve) => {
      this.#remind = () => resolve(undefined);
      if (this.#bookmarkDue) resolve(undefined);
    });
    const step = await Promise.race([this.#pendingStep, reminder]);
    this.#remind = undefined;
    if (step) this.#pendingStep = undefined;
    else {
      this.#bookmarkDue = false;
      this.#ready = this.#bookmark();
    }
    return step;
  }

  #take(step: WatchStep): void {
    switch (step.kind) {
      case "closed":
        this.close();
        return;
      case "expired":
        this.#failure = expiredEvent(step.error);
        return;
      case "change":
        this.#ready = this.#eventOf(step.change);
        return;
      default:
        step satisfies never;
    }
  }

  /** The event by which a client that sees only what the selectors match learns of a change; undefined for none. */
  #eventOf(change: Change): WatchEvent | undefined {
    const { resource, query } = this.#source;
    const before = change.previous && resource.fromStored(change.previous.object);
    const wasThere = before !== undefined && query.matches(before);
    const object = resource.fromStored(change.object);
    if (change.kind === "delete") return wasThere ? { type: "DELETED", object } : undefined;
    const isThere = query.matches(object);
    if (isThere) return { type: wasThere ? "MODIFIED" : "ADDED", object };
    if (!wasThere) return undefined;
    // It left the selection: to this client it is deleted, in the last state that it could see.
    const metadata = { ...metadataOf(before), resourceVersion: String(change.revision) };
    return { type: "DELETED", object: deepFreeze({ ...before, metadata }) as JsonObject };
  }

  #bookmark(annotations?: Readonly<Record<string, string>>): WatchEvent {
    const { resource, store } = this.#source;
    const object = {
      kind: resource.kind,
      apiVersion: formatApiVersion(resource.group, resource.version),
      metadata: { resourceVersion: String(store.revision), ...(annotations ? { annotations } : {}) },
    };
    return { type: "BOOKMARK", object: deepFreeze(object) as JsonObject };
  }

  #startTimers(): void {
    const { clock, query, bookmarkEveryMs } = this.#source;
    const lengthMs = query.timeoutSeconds === undefined ? undefined : query.timeoutSeconds * 1000;
    if (lengthMs !== undefined && lengthMs > 0) {
      this.#timers.push(clock.startTimer(lengthMs, () => this.close()));
      if (query.allowBookmarks && lengthMs > lastBookmarkMs)
        this.#timers.push(clock.startTimer(lengthMs - lastBookmarkMs, () => this.#remindNow()));
    }
    if (query.allowBookmarks && bookmarkEveryMs !== undefined) this.#remindEvery(clock, bookmarkEveryMs);
  }

  #remindEvery(clock: Clock, everyMs: number): void {
    const timer = clock.startTimer(everyMs, () => {
      this.#timers.splice(this.#timers.indexOf(timer), 1);
      this.#remindNow();
      this.#remindEvery(clock, everyMs);
    });
    this.#timers.push(timer);
  }

  #remindNow(): void {
    this.#bookmarkDue = true;
    this.#remind?.();
  }
}

function expiredEvent(error: ExpiredError): WatchEvent {
  return { type: "ERROR", object: expired(`too old resource version: ${error.revision} (${error.oldest})`).status };
}
