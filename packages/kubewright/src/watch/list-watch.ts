import { type Clock, sleep } from "@kubewright/core/clock";
import { ApiError, OperatorError } from "@kubewright/core/errors";
import { formatKey, keyOf } from "@kubewright/core/identity";
import { isJsonObject } from "@kubewright/core/json";
import { type Logger, silentLogger } from "@kubewright/core/log";
import type { Client, SelectorInput, ServerWatchEvent, Trace } from "../client/index.js";
import type { AnyKind, ReadOf } from "../definition/index.js";
import { InactivityGuard } from "./inactivity-guard.js";
import { WatchBackoff } from "./watch-backoff.js";
import type { WatchEvent } from "./watch-event.js";
import { classifyFailure } from "./watch-failure.js";

/**
 * Where a {@link ListWatch} is.
 *
 * - `new`: until `run`.
 * - `list`: reads all objects. `version` is "0" at first (any state will do), the last one seen on a relist, and "" (the
 *   newest) after the server said that it no longer knows ours. Left for `watch`, or for `backoff` on a failure.
 * - `watch`: hears of changes after `version`; `open` once the server accepted it. When it ends, `watch` resumes from the
 *   last version; 410 goes to `list`; failures and watches that end at once go to `backoff`.
 * - `backoff`: waits after a failure, then goes to `next`.
 * - `stopped`: the signal aborted.
 */
export type ListWatchState =
  | { readonly kind: "new" }
  | { readonly kind: "list"; readonly version: string }
  | { readonly kind: "watch"; readonly version: string; readonly open: boolean }
  | {
      readonly kind: "backoff";
      readonly delayMs: number;
      readonly error: unknown;
      readonly next: { readonly kind: "list" | "watch"; readonly version: string };
    }
  | { readonly kind: "stopped" };

type Step =
  | Extract<ListWatchState, { kind: "list" | "backoff" }>
  | { readonly kind: "watch"; readonly version: string };

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
  readonly logger?: Logger;
  readonly trace?: Trace;
  /** How many objects one list request asks for. @default 500 */
  readonly pageSize?: number;
  /** The server ends a watch after a random time between this and its double. @default 300_000 */
  readonly minWatchMs?: number;
  /** A list request without an answer, and a watch that is silent for so long, are given up. @default 180_000 */
  readonly inactivityMs?: number;
}

/** A watch that ends sooner than this without a word is a failure: resuming at once would be a hot loop. */
const shortestWatchMs = 1_000;

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
  #state: ListWatchState = { kind: "new" };
  #lastError: unknown;
  /** The last version seen; "" before the first list. */
  #version = "";
  /** Lists that were needed because a version had expired, since a watch last brought something. */
  #expiredInARow = 0;

  constructor(options: ListWatchOptions<K>) {
    this.#options = options;
    this.#log = (options.logger ?? silentLogger).child({ kind: options.kind.id });
    this.#backoff = new WatchBackoff(options.random);
  }

  get state(): ListWatchState {
    return this.#state;
  }

  /** Whether a watch is open and everything that it brought was delivered. */
  get idle(): boolean {
    return this.#state.kind === "stopped" || (this.#state.kind === "watch" && this.#state.open);
  }

  /** The failure that came last; undefined after a list or watch that went well. */
  get lastError(): unknown {
    return this.#lastError;
  }

  /** Lists, then watches, until `signal` aborts. Resolves once nothing of it is left; never rejects. */
  async run(signal: AbortSignal): Promise<void> {
    let step: Step = { kind: "list", version: "0" };
    while (!signal.aborted) step = await this.#take(step, signal);
    this.#state = { kind: "stopped" };
  }

  async #take(step: Step, signal: AbortSignal): Promise<Step> {
    switch (step.kind) {
      case "list":
        this.#state = step;
        return this.#list(step.version, signal);
      case "watch":
        this.#state = { ...step, open: false };
        return this.#watch(step.version, signal);
      case "backoff":
        this.#state = step;
        await sleep(this.#options.clock, step.delayMs, signal);
        return step.next.kind === "list"
          ? { kind: "list", version: step.next.version }
          : { kind: "watch", version: step.next.version };
    }
  }

  async #list(version: string, signal: AbortSignal): Promise<Step> {
    try {
      const { objects, resourceVersion } = await this.#readPages(version, signal);
      this.#version = resourceVersion;
      this.#lastError = undefined;
      this.#trace("", "replaced");
      this.#options.deliver({ type: "replaced", objects, resourceVersion });
      return { kind: "watch", version: resourceVersion };
    } catch (error) {
      if (classifyFailure(error).kind === "expired") return this.#expired(error, version !== "");
      return this.#retry(error, { kind: "list", version: this.#version === "" ? version : this.#version });
    }
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

  async #watch(version: string, signal: AbortSignal): Promise<Step> {
    const { kind, client, clock, random, namespace, labels, fields, minWatchMs = 300_000 } = this.#options;
    const { managedFields = false } = this.#options;
    const startedMs = clock.monotonic();
    const closed = (): void => {
      this.#state = { kind: "watch", version: this.#version, open: false };
    };
    const guard = new InactivityGuard({ clock, outer: signal, limitMs: this.#inactivityMs, kind, onExpired: closed });
    let heard = 0;
    try {
      const events = await client.watch(kind, {
        ...scope(namespace, labels, fields),
        managedFields,
        resourceVersion: version,
        timeoutSeconds: Math.floor((minWatchMs * (1 + random())) / 1_000),
        allowBookmarks: true,
        signal: guard.signal,
      });
      this.#state = { kind: "watch", version: this.#version, open: true };
      for await (const event of events) {
        guard.touch();
        heard += 1;
        this.#receive(event);
      }
    } catch (error) {
      if (signal.aborted) return { kind: "watch", version: this.#version };
      if (!guard.expired) return this.#afterFailure(error);
    } finally {
      guard.close();
    }
    const resume = { kind: "watch", version: this.#version } as const;
    if (signal.aborted || heard > 0 || clock.monotonic() - startedMs >= shortestWatchMs) return resume;
    return this.#retry(
      new OperatorError(
        "TRANSPORT_FAILED",
        `Cannot watch ${kind.kind} objects: the watch ended at once without an event`,
      ),
      resume,
    );
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
        const type = ({ ADDED: "added", MODIFIED: "modified", DELETED: "deleted" } as const)[event.type];
        const { metadata } = event.object as unknown as {
          metadata: { name: string; namespace?: string; resourceVersion: string };
        };
        this.#advanceTo(metadata.resourceVersion);
        this.#trace(formatKey(keyOf({ metadata })), type);
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
    this.#state = { kind: "watch", version, open: true };
  }

  #afterFailure(error: unknown): Step {
    const failure = classifyFailure(error);
    // A 410 means that our version left the server's window: only a fresh list can find what we missed.
    if (failure.kind === "expired") return this.#expired(error, this.#expiredInARow === 0);
    return this.#retry(error, { kind: failure.kind === "other" ? "list" : "watch", version: this.#version });
  }

  #expired(error: unknown, atOnce: boolean): Step {
    this.#expiredInARow += 1;
    return atOnce ? { kind: "list", version: "" } : this.#retry(error, { kind: "list", version: "" });
  }

  #retry(error: unknown, next: { readonly kind: "list" | "watch"; readonly version: string }): Step {
    const failure = classifyFailure(error);
    const retryAfterSeconds = failure.kind === "expired" ? 0 : failure.retryAfterSeconds;
    const delayMs = this.#backoff.next(this.#options.clock.monotonic(), retryAfterSeconds);
    this.#lastError = error;
    this.#log.warn({ err: error, delayMs, next: next.kind }, "List or watch failed, will retry");
    return { kind: "backoff", delayMs, error, next };
  }

  #isExpected(object: unknown): boolean {
    const { kind } = this.#options;
    const metadata = isJsonObject(object) && object["kind"] === kind.kind ? object["metadata"] : undefined;
    if (isJsonObject(metadata) && typeof metadata["name"] === "string") return true;
    this.#log.error({ start: JSON.stringify(object)?.slice(0, 80) }, "Listed object of another kind skipped");
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
