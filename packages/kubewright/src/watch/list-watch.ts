import { type Clock, sleep } from "@kubewright/core/clock";
import { ApiError, OperatorError } from "@kubewright/core/errors";
import { formatKey, keyOf } from "@kubewright/core/identity";
import { isJsonObject, stringifyJson } from "@kubewright/core/json";
import { type Logger, silentLogger } from "@kubewright/core/log";
import type { Client, SelectorInput, ServerWatchEvent, Trace } from "../client/index.js";
import type { AnyKind, ReadOf } from "../definition/index.js";
import { InactivityGuard } from "./inactivity-guard.js";
import { InitialEvents } from "./initial-events.js";
import { WatchBackoff } from "./watch-backoff.js";
import type { WatchEvent } from "./watch-event.js";
import { classifyFailure, isAway, isNotUnderstood } from "./watch-failure.js";

/**
 * Where a {@link ListWatch} is.
 *
 * - `new`: until `run`.
 * - `stream`: reads all objects as the beginning of a watch, not older than `version`: "" (the newest) at first and after
 *   the server said that it no longer knows ours, else the last one seen. Left for `watch`, in the same request, when the
 *   server says that this was all; for `list` when the server refuses, ends it before that or falls silent; for `backoff`
 *   when the server is away.
 * - `list`: reads all objects by requests of their own, where they cannot be streamed. `version` is "0" at first (any state
 *   will do), then as above. Left for `watch`, or for `backoff` on a failure.
 * - `watch`: hears of changes after `version`; `open` once the server accepted it. When it ends, `watch` resumes from the
 *   last version; 410 reads all objects anew; failures and watches that end at once go to `backoff`.
 * - `backoff`: waits after a failure, then goes to `next`.
 * - `stopped`: the signal aborted.
 */
export type ListWatchState =
  | { readonly kind: "new" }
  | { readonly kind: "list" | "stream"; readonly version: string }
  | { readonly kind: "watch"; readonly version: string; readonly open: boolean }
  | {
      readonly kind: "backoff";
      readonly delayMs: number;
      readonly error: unknown;
      readonly next: Attempt;
    }
  | { readonly kind: "stopped" };

/** What is tried next, and from where. */
interface Attempt {
  readonly kind: "list" | "stream" | "watch";
  readonly version: string;
}

type Step = Attempt | Extract<ListWatchState, { kind: "backoff" }>;

/** What to watch, and whom to tell. */
export interface ListWatchOptions<K extends AnyKind> {
  readonly kind: K;
  readonly client: Client;
  readonly clock: Clock;
  /** Between 0 and 1; spreads timeouts and delays. */
  readonly random: () => number;
  /** Only objects of this namespace; all of them where it is left out. */
  readonly namespace?: string;
  readonly labels?: SelectorInput;
  readonly fields?: SelectorInput;
  /** Whether objects come with `metadata.managedFields`. @default false */
  readonly managedFields?: boolean;
  /** Is given each event, in order. Returns before the next one is read; must not throw. */
  readonly deliver: (event: WatchEvent<K>) => void;
  /**
   * Reads the objects that are there as the beginning of the watch, where the server can: one request instead of many, and no list in the
   * server's memory. False asks for lists. @default true
   */
  readonly streaming?: boolean;
  /** Is told of each failure, before the pause that follows. Must not throw. */
  readonly onFailure?: (error: unknown) => void;
  readonly logger?: Logger;
  readonly trace?: Trace;
  /** How many objects one list request asks for. @default 500 */
  readonly pageSize?: number;
  /** The server ends a watch after a random time between this and its double. @default 300_000 */
  readonly minWatchMs?: number;
  /** A list request without an answer, and a watch that is silent for so long, are given up. @default 180_000 */
  readonly inactivityMs?: number;
}

const types = { ADDED: "added", MODIFIED: "modified", DELETED: "deleted" } as const;

/** A watch that ends sooner than this without a word is a failure: resuming at once would be a hot loop. */
const shortestWatchMs = 1_000;

/** A stream of what is there that is silent for so long comes from a server that does not know of such streams. */
const longestInitialSilenceMs = 30_000;

/**
 * Lists, then watches, for as long as it runs: an explicit state machine, see {@link ListWatchState}.
 *
 * Guarantees: each `replaced` is followed by every change after it, in order, each once; when changes may have been
 * missed, there is a new `replaced`. Never gives up, and never asks twice in a row without a pause after a failure.
 * What is not an object of the kind is reported and skipped.
 */
export class ListWatch<K extends AnyKind> {
  readonly #options: ListWatchOptions<K>;
  readonly #log: Logger;
  readonly #backoff: WatchBackoff;
  /** "open": an open watch of the last version seen. */
  #state: ListWatchState | "open" = { kind: "new" };
  #lastError: unknown;
  /** Ends the pause that is under way. */
  #endPause: (() => void) | undefined;
  /** The last version seen; "" before the first list. */
  #version = "";
  #streaming: boolean;
  /** Lists that were needed because a version had expired, since a watch last brought something. */
  #expiredInARow = 0;

  constructor(options: ListWatchOptions<K>) {
    this.#options = options;
    this.#log = (options.logger ?? silentLogger).child({ kind: options.kind.id });
    this.#backoff = new WatchBackoff(options.random);
    this.#streaming = options.streaming ?? true;
  }

  get state(): ListWatchState {
    return this.#state === "open" ? { kind: "watch", version: this.#version, open: true } : this.#state;
  }

  /** Whether a watch is open and everything that it brought was delivered. */
  get idle(): boolean {
    return this.#state === "open" || this.#state.kind === "stopped";
  }

  /** The failure that came last; undefined after a list or watch that went well. */
  get lastError(): unknown {
    return this.#lastError;
  }

  /** Ends a pause after a failure, where there is one: what it failed for has changed. */
  retryNow(): void {
    this.#endPause?.();
  }

  /** Lists, then watches, until `signal` aborts. Resolves once nothing of it is left; never rejects. */
  async run(signal: AbortSignal): Promise<void> {
    let step: Step = this.#readAll("0");
    while (!signal.aborted) step = await this.#take(step, signal);
    this.#state = { kind: "stopped" };
  }

  async #take(step: Step, signal: AbortSignal): Promise<Step> {
    switch (step.kind) {
      case "list":
        this.#state = { kind: "list", version: step.version };
        return this.#list(step.version, signal);
      case "stream":
        this.#state = { kind: "stream", version: step.version };
        return this.#watch(step.version, signal, new InitialEvents<K>());
      case "watch":
        this.#state = { kind: "watch", version: step.version, open: false };
        return this.#watch(step.version, signal, undefined);
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

  /** Begins anew with everything that is there, not older than `version`; "0" is any state. */
  #readAll(version: string): Attempt {
    if (!this.#streaming) return { kind: "list", version };
    // To a stream "0" would mean objects of any state without a word on when they are complete.
    return { kind: "stream", version: version === "0" ? "" : version };
  }

  async #list(version: string, signal: AbortSignal): Promise<Step> {
    try {
      const { objects, resourceVersion } = await this.#readPages(version, signal);
      this.#replace(objects, resourceVersion);
      return { kind: "watch", version: resourceVersion };
    } catch (error) {
      if (classifyFailure(error).kind === "expired") return this.#expired(error, version !== "");
      return this.#retry(error, this.#readAll(this.#version === "" ? version : this.#version));
    }
  }

  #replace(objects: readonly ReadOf<K>[], resourceVersion: string): void {
    this.#version = resourceVersion;
    this.#lastError = undefined;
    this.#trace("", "replaced");
    this.#options.deliver({ type: "replaced", objects, resourceVersion });
  }

  async #readPages(version: string, signal: AbortSignal) {
    const { kind, client, namespace, labels, fields, managedFields = false, pageSize = 500 } = this.#options;
    const objects: ReadOf<K>[] = [];
    for (let from: string | undefined; ; ) {
      // A server with a watch cache answers "not older than" from memory, and whole: paging would send it to storage.
      const paging = version === "" || version === "0" ? { limit: pageSize } : {};
      const page = await this.#withinInactivity(signal, (limited) =>
        client.listPage(kind, {
          ...scope(namespace, labels, fields),
          managedFields,
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

  /** Watches from `version`; with `initial`, first reads everything that is there, not older than `version`. */
  async #watch(version: string, signal: AbortSignal, initial: InitialEvents<K> | undefined): Promise<Step> {
    const { kind, client, clock, random, namespace, labels, fields, minWatchMs = 300_000 } = this.#options;
    const { managedFields = false } = this.#options;
    const startedMs = clock.monotonic();
    let missing = initial;
    const closed = (): void => {
      if (missing === undefined) this.#state = { kind: "watch", version: this.#version, open: false };
    };
    const limitMs = initial === undefined ? this.#inactivityMs : longestInitialSilenceMs;
    const guard = new InactivityGuard({ clock, outer: signal, limitMs, kind, onExpired: closed });
    let heard = 0;
    try {
      const events = await client.watch(kind, {
        ...scope(namespace, labels, fields),
        managedFields,
        ...(initial === undefined || version !== "" ? { resourceVersion: version } : {}),
        timeoutSeconds: Math.floor((minWatchMs * (1 + random())) / 1_000),
        allowBookmarks: true,
        sendInitialEvents: initial !== undefined,
        signal: guard.signal,
      });
      if (initial === undefined) this.#state = "open";
      for await (const event of events) {
        guard.touch();
        heard += 1;
        if (missing === undefined) this.#receive(event);
        else if (this.#receiveInitial(event, missing)) {
          missing = undefined;
          guard.allow(this.#inactivityMs);
        }
      }
    } catch (error) {
      if (signal.aborted) return { kind: "watch", version: this.#version };
      if (missing !== undefined) return this.#afterBrokenStream(error, version, guard.expired);
      if (!guard.expired) return this.#afterFailure(error);
    } finally {
      guard.close();
    }
    const resume = { kind: "watch", version: this.#version } as const;
    if (signal.aborted) return resume;
    if (missing !== undefined) {
      const why = `Cannot read ${kind.kind} objects as a stream: it ended before the server said that it was complete`;
      return this.#afterBrokenStream(new OperatorError("TRANSPORT_FAILED", why), version, true);
    }
    if (heard > 0 || clock.monotonic() - startedMs >= shortestWatchMs) return resume;
    return this.#retry(
      new OperatorError(
        "TRANSPORT_FAILED",
        `Cannot watch ${kind.kind} objects: the watch ended at once without an event`,
      ),
      resume,
    );
  }

  /** Takes an event of the beginning. Says whether that is complete, and everything was delivered. */
  #receiveInitial(event: ServerWatchEvent<K>, initial: InitialEvents<K>): boolean {
    if (event.type === "ERROR" || event.type === "UNEXPECTED") {
      this.#receive(event);
      return false;
    }
    const complete = initial.take(event);
    if (complete === undefined) return false;
    this.#replace(complete.objects, complete.resourceVersion);
    this.#advanceTo(complete.resourceVersion);
    return true;
  }

  /** A stream that was not complete has told nothing. `unheard`: the server does as if it did not know of such streams. */
  #afterBrokenStream(error: unknown, version: string, unheard: boolean): Step {
    if (classifyFailure(error).kind === "expired") return this.#expired(error, version !== "");
    if (!unheard && isAway(error)) return this.#retry(error, { kind: "stream", version });
    // One that cannot do it now will not learn it while we run; any other reason may be gone the next time.
    if (unheard || isNotUnderstood(error)) this.#streaming = false;
    this.#log.debug({ err: error }, "Objects cannot be streamed, they are listed");
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
        this.#log.error({ why: event.why }, "Watch event skipped");
        return;
      case "BOOKMARK":
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
        if (this.#options.trace !== undefined) this.#trace(formatKey(keyOf({ metadata })), type);
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
    this.#lastError = undefined;
    this.#state = "open";
  }

  #afterFailure(error: unknown): Step {
    const failure = classifyFailure(error);
    // A 410 means that our version left the server's window: only a fresh list can find what we missed.
    if (failure.kind === "expired") return this.#expired(error, this.#expiredInARow === 0);
    if (failure.kind === "other") return this.#retry(error, this.#readAll(this.#version));
    return this.#retry(error, { kind: "watch", version: this.#version });
  }

  #expired(error: unknown, atOnce: boolean): Step {
    this.#expiredInARow += 1;
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
    this.#log.error({ start: stringifyJson(object)?.slice(0, 80) }, "Listed object of another kind skipped");
    return false;
  }

  async #withinInactivity<T>(signal: AbortSignal, request: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const { clock, kind } = this.#options;
    const guard = new InactivityGuard({ clock, outer: signal, limitMs: this.#inactivityMs, kind });
    try {
      return await request(guard.signal);
    } finally {
      guard.close();
    }
  }

  get #inactivityMs(): number {
    return this.#options.inactivityMs ?? 180_000;
  }

  #trace(key: string, what: string): void {
    this.#options.trace?.("watch", { kind: this.#options.kind.id, key, what });
  }
}

function scope(namespace: string | undefined, labels: SelectorInput | undefined, fields: SelectorInput | undefined) {
  return {
    ...(namespace === undefined ? { allNamespaces: true } : { namespace }),
    ...(labels === undefined ? {} : { labels }),
    ...(fields === undefined ? {} : { fields }),
  };
}
