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
import { ApiFailure, expired } from "./api-failure.js";
import { metadataOf } from "./draft.js";
import type { ListQuery } from "./list-query.js";
import { tooLarge } from "./read.js";
import type { Resource } from "./resource.js";

/** One watch event, as it is sent to the client. */
export type WatchEvent =
  | { readonly type: "ADDED" | "MODIFIED" | "DELETED" | "BOOKMARK"; readonly object: JsonObject }
  | { readonly type: "ERROR"; readonly object: ApiStatus };

/** The parameters of a {@link WatchStream}. */
export interface WatchSource {
  readonly store: Store;
  readonly clock: Clock;
  readonly resource: Resource;
  /** Empty for all namespaces. */
  readonly namespace: string;
  readonly query: ListQuery;
  readonly signal: AbortSignal | undefined;
  /** The bookmark interval of a watch that allows bookmarks. @default only one, before the timeout */
  readonly bookmarkEveryMs?: number;
  /** The timeout of a watch without `timeoutSeconds`. @default none */
  readonly defaultLengthMs?: number;
}

/** How long before its timeout a watch sends its last bookmark. */
const lastBookmarkMs = 2_000;

/** The maximum delay of a timer. */
const longestMs = 2_147_483_647;

/**
 * The events of a watch, in order. Ends at its timeout, when `signal` aborts, when the resource is no longer served, when the reader
 * returns, and after an ERROR event.
 */
export class WatchStream implements AsyncIterable<WatchEvent>, AsyncIterator<WatchEvent> {
  readonly #source: WatchSource;
  readonly #initial: readonly StoredRecord[];
  /** The revision of the initial events. */
  readonly #initialRevision: number;
  #nextInitial = 0;
  #endOfInitial: "none" | "due" = "none";
  #watcher: Watcher | undefined;
  /** The webhook conversion that the next event waits for. */
  #loading: Promise<void> | undefined;
  /** A change whose objects are being converted. */
  #held: WatchStep | undefined;
  #failure: WatchEvent | undefined;
  #bookmarkDue = false;
  #resolve: ((result: IteratorResult<WatchEvent>) => void) | undefined;
  readonly #timers: Timer[] = [];
  readonly #onAbort = (): void => this.close();
  readonly #wake = (): void => this.#resume();
  #onClose: (() => void) | undefined;

  constructor(source: WatchSource) {
    this.#source = source;
    const { store, resource, namespace, query, signal } = source;
    const bucket = store.bucket(resource.bucket);
    const prefix = namespace === "" ? "" : `${namespace}/`;
    // A watch from a future resourceVersion waits for it, as in kube-apiserver; its initial events cannot be listed.
    const isFuture = query.revision > store.revision;
    const fromNow = !isFuture && (query.revision === 0 || query.sendInitialEvents === true);
    const wantsInitial = query.sendInitialEvents ?? query.revision === 0;
    this.#initial = fromNow && wantsInitial ? bucket.list(prefix) : [];
    this.#initialRevision = store.revision;
    if (query.sendInitialEvents === true && query.allowBookmarks && !isFuture) this.#endOfInitial = "due";
    if (isFuture && query.sendInitialEvents === true)
      this.#failure = { type: "ERROR", object: tooLarge(query.revision, store.revision).status };
    try {
      this.#watcher = bucket.watch({ after: fromNow ? store.revision : query.revision, prefix });
    } catch (error) {
      if (!(error instanceof ExpiredError)) throw error;
      this.#failure = expiredEvent(error);
    }
    if (resource.load) this.#load(this.#initial.map((record) => record.object));
    signal?.addEventListener("abort", this.#onAbort, { once: true });
    if (signal?.aborted) this.close();
    else this.#startTimers();
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  /** The next event if one is available: a reader that lags behind catches up without waiting. */
  take(): WatchEvent | undefined {
    const now = this.#advance();
    return now && now.done !== true ? now.value : undefined;
  }

  next(): Promise<IteratorResult<WatchEvent>> {
    const now = this.#advance();
    if (now) return Promise.resolve(now);
    return new Promise((resolve) => this.#wait(resolve));
  }

  return(): Promise<IteratorResult<WatchEvent>> {
    this.close();
    return Promise.resolve({ done: true, value: undefined });
  }

  /** Whether the watch has ended and has no more events. */
  get closed(): boolean {
    return this.#watcher === undefined && this.#failure === undefined;
  }

  /** Calls a function once, when the watch ends. */
  onClose(callback: () => void): void {
    this.#onClose = callback;
  }

  /** Ends the watch, also for a waiting reader. */
  close(): void {
    const onClose = this.#onClose;
    this.#onClose = undefined;
    onClose?.();
    this.#source.signal?.removeEventListener("abort", this.#onAbort);
    for (const timer of this.#timers) timer.cancel();
    this.#nextInitial = this.#initial.length;
    this.#endOfInitial = "none";
    this.#failure = undefined;
    this.#loading = undefined;
    this.#held = undefined;
    const watcher = this.#watcher;
    this.#watcher = undefined;
    watcher?.close();
    this.#resume();
  }

  /** Delivers the next event to a waiting reader, if one is available. */
  #resume(): void {
    const resolve = this.#resolve;
    if (!resolve) return;
    // Cleared first: an ERROR event closes the watch, and must reach the reader before the end does.
    this.#resolve = undefined;
    const now = this.#advance();
    if (!now) {
      this.#wait(resolve);
      return;
    }
    this.#watcher?.wait(undefined);
    resolve(now);
  }

  #wait(resolve: (result: IteratorResult<WatchEvent>) => void): void {
    this.#resolve = resolve;
    // A watch that awaits a conversion still has an event to deliver: it is not idle.
    this.#watcher?.wait(this.#loading ? undefined : this.#wake);
  }

  /** Holds back further events until a webhook has converted the objects, if the kind has one. */
  #load(objects: readonly JsonObject[]): void {
    const loading = this.#source.resource.load?.(objects);
    if (loading === undefined) return;
    this.#loading = loading;
    const finish = (failure?: WatchEvent): void => {
      // The watch may have ended meanwhile.
      if (this.#loading !== loading) return;
      this.#loading = undefined;
      this.#failure = failure;
      this.#resume();
    };
    loading.then(
      () => finish(),
      (error: ApiFailure) => finish({ type: "ERROR", object: error.status }),
    );
  }

  /** The next event or the end of the watch; undefined if the reader must wait. */
  #advance(): IteratorResult<WatchEvent> | undefined {
    for (;;) {
      if (this.#loading) return undefined;
      const ready = this.#nextReady();
      if (ready) return { done: false, value: ready };
      if (!this.#watcher) return { done: true, value: undefined };
      const step = this.#nextStep(this.#watcher);
      if (!step) break;
      const event = this.#take(step);
      if (event) return { done: false, value: event };
    }
    // A bookmark guarantees that all earlier events were delivered.
    if (this.#loading || !this.#bookmarkDue) return undefined;
    this.#bookmarkDue = false;
    return { done: false, value: this.#bookmark(this.#source.store.visibleRevision) };
  }

  /** Events that precede any change: the initial events, their bookmark, or a failure. */
  #nextReady(): WatchEvent | undefined {
    const { resource, query } = this.#source;
    while (!this.#failure && this.#nextInitial < this.#initial.length) {
      const record = this.#initial[this.#nextInitial++];
      const object = record && this.#unlessRejected(() => resource.fromStored(record.object));
      if (this.#failure) break;
      if (object && query.matches(object)) return { type: "ADDED", object };
    }
    if (this.#failure) this.#endOfInitial = "none";
    if (this.#endOfInitial === "due") {
      this.#endOfInitial = "none";
      return this.#bookmark(this.#initialRevision, { "k8s.io/initial-events-end": "true" });
    }
    const event = this.#failure;
    if (event) this.close();
    return event;
  }

  /** The next step of the store's watcher. A change is held until its objects are converted. */
  #nextStep(watcher: Watcher): WatchStep | undefined {
    const held = this.#held;
    this.#held = undefined;
    if (held) return held;
    const step = watcher.poll();
    if (step?.kind !== "change" || !this.#source.resource.load) return step;
    const { object, previous } = step.change;
    this.#load(previous ? [previous.object, object] : [object]);
    if (!this.#loading) return step;
    this.#held = step;
    return undefined;
  }

  #take(step: WatchStep): WatchEvent | undefined {
    switch (step.kind) {
      case "closed":
        this.close();
        return undefined;
      case "expired":
        this.#failure = expiredEvent(step.error);
        return undefined;
      case "change":
        return this.#unlessRejected(() => this.#eventOf(step.change));
      default:
        return step satisfies never;
    }
  }

  /** An object that cannot be converted to this version ends this watch only. */
  #unlessRejected<T>(show: () => T): T | undefined {
    try {
      return show();
    } catch (error) {
      if (!(error instanceof ApiFailure)) throw error;
      this.#failure = { type: "ERROR", object: error.status };
      return undefined;
    }
  }

  /** The event for a change, as seen through the selectors; undefined if neither version matches. */
  #eventOf(change: Change): WatchEvent | undefined {
    const { resource, query } = this.#source;
    const before = change.previous && resource.fromStored(change.previous.object);
    const didMatch = before !== undefined && query.matches(before);
    const object = resource.fromStored(change.object);
    if (change.kind === "delete") return didMatch ? { type: "DELETED", object } : undefined;
    const isMatch = query.matches(object);
    if (isMatch) return { type: didMatch ? "MODIFIED" : "ADDED", object };
    if (!didMatch) return undefined;
    // It no longer matches the selectors: this client receives a DELETED event with the last version that matched.
    const metadata = { ...metadataOf(before), resourceVersion: String(change.revision) };
    return { type: "DELETED", object: deepFreeze({ ...before, metadata }) as JsonObject };
  }

  #bookmark(revision: number, annotations?: Readonly<Record<string, string>>): WatchEvent {
    const { resource, query } = this.#source;
    const object = {
      kind: resource.kind,
      apiVersion: formatApiVersion(resource.group, resource.version),
      metadata: {
        resourceVersion: String(Math.max(revision, query.revision)),
        ...(annotations ? { annotations } : {}),
      },
    };
    return { type: "BOOKMARK", object: deepFreeze(object) as JsonObject };
  }

  #startTimers(): void {
    const { clock, query, bookmarkEveryMs, defaultLengthMs } = this.#source;
    const requestedSeconds = query.timeoutSeconds ?? 0;
    const lengthMs = requestedSeconds > 0 ? Math.min(requestedSeconds * 1000, longestMs) : defaultLengthMs;
    if (lengthMs !== undefined) {
      this.#timers.push(clock.startTimer(lengthMs, () => this.close(), background));
      if (query.allowBookmarks && lengthMs > lastBookmarkMs)
        this.#timers.push(clock.startTimer(lengthMs - lastBookmarkMs, () => this.#requestBookmark(), background));
    }
    if (query.allowBookmarks && bookmarkEveryMs !== undefined) this.#requestBookmarkEvery(clock, bookmarkEveryMs);
  }

  #requestBookmarkEvery(clock: Clock, everyMs: number): void {
    const timer = clock.startTimer(
      everyMs,
      () => {
        this.#timers.splice(this.#timers.indexOf(timer), 1);
        this.#requestBookmark();
        this.#requestBookmarkEvery(clock, everyMs);
      },
      background,
    );
    this.#timers.push(timer);
  }

  #requestBookmark(): void {
    this.#bookmarkDue = true;
    this.#resume();
  }
}

/** Neither the end of a watch nor a bookmark changes what its client sees. */
const background = { background: true };

function expiredEvent(error: ExpiredError): WatchEvent {
  return { type: "ERROR", object: expired(`too old resource version: ${error.revision} (${error.oldest})`).status };
}
