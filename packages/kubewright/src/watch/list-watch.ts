import { type Clock, sleep } from "@kubewright/core/clock";
import { ApiError, OperatorError } from "@kubewright/core/errors";
import { formatKey, keyOf } from "@kubewright/core/identity";
import { isJsonObject, stringifyJson } from "@kubewright/core/json";
import { type Logger, safeLogger, silentLogger } from "@kubewright/core/log";
import type { Client, SelectorInput, ServerWatchEvent, StageListener } from "../client/index.js";
import type { AnyKind, ReadOf } from "../definition/index.js";
import { InactivityGuard } from "./inactivity-guard.js";
import { InitialEvents } from "./initial-events.js";
import { type FoundObject, LastChange } from "./last-change.js";
import type { Attempt, ListWatchState, Step, WatchActivity } from "./list-watch-state.js";
import { WatchBackoff } from "./watch-backoff.js";
import type { WatchEvent } from "./watch-event.js";
import { classifyFailure, isUnavailable, isUnsupported } from "./watch-failure.js";
import { wentBack } from "./went-back.js";

/** Options of {@link ListWatch}. */
export interface ListWatchOptions<K extends AnyKind> {
  readonly kind: K;
  readonly client: Client;
  readonly clock: Clock;
  /** Between 0 and 1; jitter of timeouts and delays. */
  readonly random: () => number;
  /** The namespace to watch. @default all */
  readonly namespace?: string;
  readonly labels?: SelectorInput;
  readonly fields?: SelectorInput;
  /** Whether objects come with `metadata.managedFields`. @default false */
  readonly managedFields?: boolean;
  /** Receives each event, in order. Called synchronously before the next event is read; must not throw. */
  readonly deliver: (event: WatchEvent<K>) => void;
  /**
   * Whether to stream the initial list through the watch (sendInitialEvents) if the server supports it: one request instead of many, and less
   * memory in the server. @default true
   */
  readonly streaming?: boolean;
  /** Called when a list of the most recent state begins; its result is in the `replaced` event of that list. @default none */
  readonly mark?: () => number;
  /** Called for each failure, before the backoff. Must not throw. */
  readonly onFailure?: (error: unknown) => void;
  readonly logger?: Logger;
  readonly onStage?: StageListener;
  /** The `limit` of a list request. @default 500 */
  readonly pageSize?: number;
  /** The timeoutSeconds of a watch is random between this and twice this. @default 300_000 */
  readonly minWatchMs?: number;
  /** A list request without a response, and a watch without an event, are aborted after this time. @default 90_000 */
  readonly inactivityMs?: number;
}

const types = { ADDED: "added", MODIFIED: "modified", DELETED: "deleted" } as const;

/** A watch that ends earlier without an event is a failure: resuming it at once would be a hot loop. */
const shortestWatchMs = 1_000;

/** After this many failures (status 500, invalid events) the version may be the reason: the next attempt is a relist. */
const maxFailedWatches = 3;

/** A stream without an event for this long means that the server ignored sendInitialEvents. */
const initialInactivityMs = 30_000;

/**
 * Lists, then watches: an explicit state machine, see {@link ListWatchState}.
 *
 * Guarantees: each `replaced` is followed by every change after it, in order, exactly once; if changes may have been missed, there is a new
 * `replaced`. Retries forever, with a backoff after each failure. Objects of another kind are logged and skipped.
 */
export class ListWatch<K extends AnyKind> {
  readonly #options: ListWatchOptions<K>;
  readonly #log: Logger;
  readonly #backoff: WatchBackoff;
  /** "open": a watch is open at `#version`. */
  #state: ListWatchState | "open" = { kind: "new" };
  #lastError: unknown;
  /** Ends the current backoff. */
  #endPause: (() => void) | undefined;
  /** The last observed resourceVersion; "" before the initial list. */
  #version = "";
  #streaming: boolean;
  /** Whether the server sends bookmarks for this kind. */
  #hasBookmarks = false;
  #managedFields: boolean;
  readonly #lastChange = new LastChange();
  /** Whether the next step is a relist, whatever the current one returns. */
  #relist = false;
  /** Of the current request. */
  #guard: InactivityGuard | undefined;
  readonly #activity = { watches: 0, lists: 0, expired: 0, lastEventMs: 0 };
  /** Relists because of an expired version, since the last watch event. */
  #expiredInARow = 0;
  /** Watches that the server failed to serve, since the last list or watch event. */
  #failedInARow = 0;

  constructor(options: ListWatchOptions<K>) {
    this.#options = options;
    this.#log = safeLogger(options.logger ?? silentLogger).child({ kind: options.kind.id });
    this.#backoff = new WatchBackoff(options.random);
    this.#streaming = options.streaming ?? true;
    this.#managedFields = options.managedFields ?? false;
  }

  get state(): ListWatchState {
    return this.#state === "open" ? { kind: "watch", version: this.#version, open: true } : this.#state;
  }

  /** Whether a watch is open and all its events have been delivered. */
  get idle(): boolean {
    return this.#state === "open" || this.#state.kind === "stopped";
  }

  /** The last failure; undefined after a list or watch succeeded. */
  get lastError(): unknown {
    return this.#lastError;
  }

  /** Ends the current backoff, because the cause of the failure has changed. */
  retryNow(): void {
    this.#endPause?.();
  }

  /** What it has done so far, for metrics. `lastEventMs` is of the monotonic clock, 0 before the first list; a bookmark is an event too. */
  get activity(): WatchActivity {
    return this.#activity;
  }

  /** Whether a relist was requested and has not begun. */
  get relisting(): boolean {
    return this.#relist;
  }

  /** From now on objects come with `metadata.managedFields`: ends the current request, and relists. */
  keepManagedFields(): void {
    this.#managedFields = true;
    if (this.state.kind === "new") return;
    this.#relist = true;
    this.#guard?.abort(new OperatorError("STOPPED", `Cannot go on: ${this.#options.kind.kind} objects are relisted`));
    this.#endPause?.();
  }

  /** Lists, then watches, until `signal` aborts. Resolves when it has stopped; never rejects. */
  async run(signal: AbortSignal): Promise<void> {
    let step: Step = this.#readAll("0");
    while (!signal.aborted) {
      step = await this.#take(step, signal);
      if (!this.#relist) continue;
      this.#relist = false;
      step = this.#readAll(this.#version === "" ? "0" : this.#version);
    }
    this.#state = { kind: "stopped" };
  }

  async #take(step: Step, signal: AbortSignal): Promise<Step> {
    switch (step.kind) {
      case "list":
        this.#state = { kind: "list", version: step.version };
        return this.#list(step.version, signal);
      case "stream":
        this.#activity.watches += 1;
        this.#state = { kind: "stream", version: step.version };
        return this.#watch(step.version, signal, new InitialEvents<K>());
      case "watch":
        this.#activity.watches += 1;
        this.#state = { kind: "watch", version: step.version, open: false };
        return this.#watch(step.version, signal, undefined);
      case "resume":
        this.#state = { kind: "watch", version: step.version, open: false };
        return this.#resume(step.version, signal);
      case "backoff":
        this.#state = step;
        await this.#pause(step.delayMs, signal);
        return step.next;
    }
  }

  async #pause(delayMs: number, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    const pause = new AbortController();
    const end = (): void => pause.abort();
    this.#endPause = end;
    signal.addEventListener("abort", end, { once: true });
    await sleep(this.#options.clock, delayMs, pause.signal);
    signal.removeEventListener("abort", end);
    this.#endPause = undefined;
  }

  /** Relists, not older than `version`; "0" is any version. */
  #readAll(version: string): Attempt {
    if (!this.#streaming) return { kind: "list", version };
    // For a stream, "0" would mean initial events of any version without the bookmark at their end.
    return { kind: "stream", version: version === "0" ? "" : version };
  }

  async #list(version: string, signal: AbortSignal): Promise<Step> {
    const mark = version === "" ? this.#options.mark?.() : undefined;
    try {
      const { objects, resourceVersion } = await this.#readPages(version, signal);
      this.#replace(objects, resourceVersion, mark);
      return { kind: "watch", version: resourceVersion };
    } catch (error) {
      const next = this.#readAll(this.#version === "" ? version : this.#version);
      if (this.#relist) return next;
      if (classifyFailure(error).kind === "expired") return this.#expired(error, version !== "");
      return this.#retry(error, next);
    }
  }

  #replace(objects: readonly ReadOf<K>[], resourceVersion: string, mark: number | undefined): void {
    this.#version = resourceVersion;
    this.#activity.lists += 1;
    this.#activity.lastEventMs = this.#options.clock.monotonic();
    this.#failedInARow = 0;
    this.#lastError = undefined;
    this.#lastChange.listed(objects as unknown as FoundObject["items"]);
    this.#report("", "replaced");
    this.#options.deliver({ type: "replaced", objects, resourceVersion, mark });
  }

  async #readPages(version: string, signal: AbortSignal) {
    const { kind, client, namespace, labels, fields, pageSize = 500 } = this.#options;
    const objects: ReadOf<K>[] = [];
    for (let from: string | undefined; ; ) {
      // kube-apiserver serves "not older than" from its watch cache, unpaged: a limit would make it read from etcd.
      const paging = version === "" || version === "0" ? { limit: pageSize } : {};
      const page = await this.#withinInactivity(signal, (limited) =>
        client.listPage(kind, {
          ...scope(namespace, labels, fields),
          managedFields: this.#managedFields,
          ...paging,
          ...(from !== undefined ? { continue: from } : version === "" ? {} : { resourceVersion: version }),
          signal: limited,
        }),
      );
      for (const object of page.items) if (this.#isExpected(object)) objects.push(object);
      if (page.continue === undefined) return { objects, resourceVersion: page.resourceVersion };
      from = page.continue;
    }
  }

  /** Resumes a watch unless its changes may be lost: the server could have been restored from a backup. */
  async #resume(version: string, signal: AbortSignal): Promise<Step> {
    const { kind, client, namespace } = this.#options;
    try {
      const why = await this.#lastChange.missing(version, async (object) => {
        // By namespace and name kube-apiserver reads this one object, however many there are.
        const where = object?.namespace ?? namespace;
        const fields = object && { "metadata.name": object.name };
        const page = await this.#withinInactivity(signal, (limited) =>
          client.listPage(kind, { ...scope(where, undefined, fields), limit: 1, signal: limited }),
        );
        return page as unknown as FoundObject;
      });
      if (why === undefined) return { kind: "watch", version };
      this.#log.info({ why, version }, "The watch may have missed changes, relisting");
      return this.#readAll("");
    } catch (error) {
      if (signal.aborted || this.#relist) return { kind: "watch", version };
      return this.#retry(error, { kind: "resume", version });
    }
  }

  /** Watches from `version`; with `initial`, first reads all objects, not older than `version`. */
  async #watch(version: string, signal: AbortSignal, initial: InitialEvents<K> | undefined): Promise<Step> {
    const { kind, client, clock, random, namespace, labels, fields, minWatchMs = 300_000 } = this.#options;
    const startedMs = clock.monotonic();
    let missing = initial;
    const mark = initial !== undefined && version === "" ? this.#options.mark?.() : undefined;
    const closed = (silence: Error): void => {
      if (missing !== undefined) return;
      this.#state = { kind: "watch", version: this.#version, open: false };
      // Until the next watch is open, the objects may be out of date.
      this.#lastError = silence;
      this.#log.info({ err: silence }, "Watch is silent, opening another one");
    };
    const limitMs = initial === undefined ? this.#inactivityMs : initialInactivityMs;
    const guard = new InactivityGuard({ clock, outer: signal, limitMs, kind, onExpired: closed });
    this.#guard = guard;
    let received = 0;
    const timeoutSeconds = Math.floor((minWatchMs * (1 + random())) / 1_000);
    try {
      const events = await client.watch(kind, {
        ...scope(namespace, labels, fields),
        managedFields: this.#managedFields,
        ...(initial === undefined || version !== "" ? { resourceVersion: version } : {}),
        timeoutSeconds,
        allowBookmarks: true,
        sendInitialEvents: initial !== undefined,
        signal: guard.signal,
      });
      if (initial === undefined) this.#state = "open";
      for await (const event of events) {
        guard.touch();
        this.#activity.lastEventMs = clock.monotonic();
        received += 1;
        if (missing === undefined) this.#receive(event);
        else if (this.#receiveInitial(event, missing, mark)) {
          missing = undefined;
          guard.allow(this.#inactivityMs);
        }
      }
    } catch (error) {
      if (signal.aborted || this.#relist) return { kind: "watch", version: this.#version };
      if (missing !== undefined) return this.#afterBrokenStream(error, version, guard.expired);
      if (!guard.expired) return this.#afterFailure(error);
    } finally {
      guard.close();
    }
    // Without a single bookmark: kube-apiserver is as silent if its etcd was restored, until it gets to our version again. For kinds without a
    // watch cache (Events) it never sends bookmarks.
    if (guard.expired && missing === undefined && received === 0 && this.#hasBookmarks)
      return this.#readAll(this.#version);
    const lastedMs = clock.monotonic() - startedMs;
    const isTimeout = lastedMs >= timeoutSeconds * 1_000;
    const resume = { kind: isTimeout ? "watch" : "resume", version: this.#version } as const;
    if (signal.aborted || this.#relist) return resume;
    if (missing !== undefined) {
      const why = `Cannot read ${kind.kind} objects as a stream: the stream ended before the initial-events-end bookmark`;
      return this.#afterBrokenStream(new OperatorError("TRANSPORT_FAILED", why), version, true);
    }
    if (received > 0 || lastedMs >= shortestWatchMs) return resume;
    return this.#retry(
      new OperatorError(
        "TRANSPORT_FAILED",
        `Cannot watch ${kind.kind} objects: the watch ended at once without an event`,
      ),
      resume,
    );
  }

  /** Handles an initial event. Returns whether the initial events are complete and delivered. */
  #receiveInitial(event: ServerWatchEvent<K>, initial: InitialEvents<K>, mark: number | undefined): boolean {
    if (event.type === "ERROR" || event.type === "UNEXPECTED") {
      this.#receive(event);
      return false;
    }
    const complete = initial.take(event);
    if (complete === undefined) return false;
    this.#replace(complete.objects, complete.resourceVersion, mark);
    this.#advanceTo(complete.resourceVersion);
    return true;
  }

  /** Handles a stream that ended before its initial events were complete. `ignored`: the server ignored sendInitialEvents. */
  #afterBrokenStream(error: unknown, version: string, ignored: boolean): Step {
    if (classifyFailure(error).kind === "expired") return this.#expired(error, version !== "");
    if (!ignored && isUnavailable(error)) return this.#retry(error, { kind: "stream", version });
    // A server without support will not gain it at run time; other failures may be temporary.
    if (ignored || isUnsupported(error)) this.#streaming = false;
    this.#log.debug({ err: error }, "Cannot stream the initial list, falling back to list requests");
    return { kind: "list", version: version === "" && this.#version === "" ? "0" : version };
  }

  #receive(event: ServerWatchEvent<K>): void {
    switch (event.type) {
      case "ERROR":
        throw new ApiError(
          event.status.code ?? 500,
          `Cannot watch ${this.#options.kind.kind} objects: ${event.status.message}`,
          event.status,
        );
      case "UNEXPECTED":
        this.#log.error({ why: event.why }, "Skipped a watch event");
        return;
      case "BOOKMARK":
        if (wentBack(this.#version, event.resourceVersion)) throw this.#restored(event.resourceVersion);
        this.#hasBookmarks = true;
        this.#advanceTo(event.resourceVersion);
        this.#options.deliver({ type: "bookmark", resourceVersion: event.resourceVersion });
        return;
      case "ADDED":
      case "MODIFIED":
      case "DELETED": {
        const type = types[event.type];
        const { metadata } = event.object as unknown as {
          metadata: { name: string; namespace?: string; resourceVersion: string };
        };
        this.#advanceTo(metadata.resourceVersion);
        this.#lastChange.changed(metadata, type === "deleted");
        if (this.#options.onStage !== undefined) this.#report(formatKey(keyOf({ metadata })), type);
        this.#options.deliver({ type, object: event.object, resourceVersion: metadata.resourceVersion });
        return;
      }
      default:
        event satisfies never;
    }
  }

  #advanceTo(version: string): void {
    this.#version = version;
    this.#expiredInARow = 0;
    this.#failedInARow = 0;
    this.#lastError = undefined;
    this.#state = "open";
  }

  #afterFailure(error: unknown): Step {
    const failure = classifyFailure(error);
    // 410 Gone: the resourceVersion left the server's watch window, so only a relist finds the missed changes.
    if (failure.kind === "expired") return this.#expired(error, this.#expiredInARow === 0);
    if (failure.kind === "failing") this.#failedInARow += 1;
    if (failure.kind === "other" || this.#failedInARow >= maxFailedWatches)
      return this.#retry(error, this.#readAll(this.#version));
    return this.#retry(error, { kind: "resume", version: this.#version });
  }

  /** Only a relist finds what the server lost. */
  #restored(version: string): ApiError {
    const message = `The server is at resourceVersion ${version}, before ${this.#version}: it was restored from a backup`;
    return new ApiError(410, `Cannot watch ${this.#options.kind.kind} objects: ${message}`, {
      kind: "Status",
      apiVersion: "v1",
      metadata: {},
      status: "Failure",
      message,
      reason: "Expired",
      code: 410,
    });
  }

  #expired(error: unknown, atOnce: boolean): Step {
    this.#expiredInARow += 1;
    this.#activity.expired += 1;
    return atOnce ? this.#readAll("") : this.#retry(error, this.#readAll(""));
  }

  #retry(error: unknown, next: Attempt): Step {
    const failure = classifyFailure(error);
    const retryAfterSeconds = failure.kind === "expired" ? 0 : failure.retryAfterSeconds;
    const delayMs = this.#backoff.next(this.#options.clock.monotonic(), retryAfterSeconds);
    this.#lastError = error;
    this.#options.onFailure?.(error);
    this.#log.warn({ err: error, delayMs, next: next.kind }, "List or watch failed, will retry");
    return { kind: "backoff", delayMs, error, next };
  }

  #isExpected(object: unknown): boolean {
    const { kind } = this.#options;
    const metadata = isJsonObject(object) && object["kind"] === kind.kind ? object["metadata"] : undefined;
    if (isJsonObject(metadata) && typeof metadata["name"] === "string") return true;
    this.#log.error({ start: startOf(object) }, "Skipped a listed object of another kind");
    return false;
  }

  async #withinInactivity<T>(signal: AbortSignal, request: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const { clock, kind } = this.#options;
    const guard = new InactivityGuard({ clock, outer: signal, limitMs: this.#inactivityMs, kind });
    this.#guard = guard;
    try {
      return await request(guard.signal);
    } finally {
      guard.close();
    }
  }

  get #inactivityMs(): number {
    return this.#options.inactivityMs ?? 90_000;
  }

  #report(key: string, what: string): void {
    this.#options.onStage?.("watch", { kind: this.#options.kind.id, key, what });
  }
}

/** The start of the value as JSON, which a deeply nested value does not have. */
function startOf(value: unknown): string | undefined {
  try {
    return stringifyJson(value)?.slice(0, 80);
  } catch (error) {
    return String(error);
  }
}

function scope(namespace: string | undefined, labels: SelectorInput | undefined, fields: SelectorInput | undefined) {
  return {
    ...(namespace === undefined ? { allNamespaces: true } : { namespace }),
    ...(labels === undefined ? {} : { labels }),
    ...(fields === undefined ? {} : { fields }),
  };
}
