import { type Clock, systemClock } from "@kubewright/core/clock";
import { OperatorError } from "@kubewright/core/errors";
import { deepFreeze } from "@kubewright/core/json";
import { callSafely, type Logger, safeLogger, silentLogger } from "@kubewright/core/log";
import { type Duration, durationMs } from "@kubewright/core/meta";
import type { Client, NameOf } from "../client/index.js";
import type { AnyKind, Declared, ReadOf } from "../definition/index.js";
import { CachedClient } from "./cached-client.js";
import type { Change } from "./change.js";
import { InformerSet } from "./informer-set.js";
import type { CachedListOptions } from "./list-query.js";
import { everything, type Selection } from "./selection.js";

/** What is cached: a kind, or a part of it, as `select(kind, options)` returns it. */
export type CacheEntry = AnyKind | { readonly kind: AnyKind; readonly selection: Selection };

/** The kind of an entry. */
export type EntryKind<E extends CacheEntry> = E extends AnyKind ? E : E extends { readonly kind: infer K } ? K : never;

/** Options of {@link startCache}. */
export interface StartCacheOptions<Entries extends readonly CacheEntry[]> {
  /** What is cached. The client needs the verbs `list` and `watch` on them. */
  readonly kinds: Entries;
  /** The only namespace, or namespaces, that are watched. @default all namespaces */
  readonly namespace?: string | readonly string[];
  /** How long the initial lists may take; rejects with WAIT_TIMEOUT then. @default "2m" */
  readonly syncTimeout?: Duration;
  /** Aborts the start. A started cache is stopped with `stop`. */
  readonly signal?: AbortSignal;
  /** @default nothing is logged */
  readonly logger?: Logger;
  /** @default the machine's time */
  readonly clock?: Clock;
  /** Between 0 and 1. @default Math.random */
  readonly random?: () => number;
}

/** A kind that is cached. */
export type InCache<K extends AnyKind, Cached> = Declared<K, Cached, "declare this kind in `kinds` of the cache">;

/** A local copy of objects, kept up to date by watches, and a client that reads it. */
export interface ObjectCache<Cached extends AnyKind>
  extends Pick<Client, "create" | "update" | "patch" | "apply" | "updateStatus" | "patchStatus" | "delete">,
    AsyncDisposable {
  /** The object; throws when it is missing. Frozen. */
  get<K extends AnyKind>(kind: InCache<K, Cached>, name: NameOf<K>): Promise<ReadOf<K>>;
  /** The object, or undefined when it is missing. Frozen. */
  find<K extends AnyKind>(kind: InCache<K, Cached>, name: NameOf<K>): Promise<ReadOf<K> | undefined>;
  /** The objects that match. Frozen. */
  list<K extends AnyKind>(kind: InCache<K, Cached>, options?: CachedListOptions): Promise<ReadOf<K>[]>;
  /**
   * Calls the listener with each change, in order; first with each object that is there, as an addition. What it throws or rejects with is logged. Disposing the result
   * ends it.
   */
  onChange<K extends AnyKind>(kind: InCache<K, Cached>, listener: (change: Change<K>) => void): Disposable;
  /** Why the copy may be stale: the last error of a list or watch. Undefined while all succeed. */
  readonly lastError: unknown;
  /** Stops all watches. Resolves when nothing of it runs; can be called again. */
  stop(): Promise<void>;
}

/**
 * Caches kinds without an operator: for programs that only read, and for code outside of runs. Writes go to the server, and reads see them at once.
 *
 * Resolves when all initial lists have arrived; on failure nothing is left running. Watches are resumed and relisted as in an operator. The caller
 * closes the client after the cache.
 *
 * @example
 * await using cache = await startCache(client, { kinds: [Pod, select(Secret, { labels: { app: "web" } })] });
 * using _ = cache.onChange(Pod, ({ kind, new: pod }) => console.log(kind, pod?.metadata.name));
 * const pods = await cache.list(Pod, { labels: { app: "web" } });
 */
export async function startCache<const Entries extends readonly CacheEntry[]>(
  client: Client,
  { kinds, namespace, syncTimeout = "2m", signal, ...options }: StartCacheOptions<Entries>,
): Promise<ObjectCache<EntryKind<Entries[number]>>> {
  const { logger = silentLogger, clock = systemClock, random = Math.random } = options;
  const timeoutMs = durationMs("syncTimeout", syncTimeout);
  signal?.throwIfAborted();
  const selections = new Map<string, { readonly kind: AnyKind; readonly selection: Selection }>();
  for (const entry of kinds) {
    const made = isKind(entry) ? { kind: entry, selection: everything } : entry;
    if (selections.has(made.kind.id))
      throw new OperatorError("CONFIG_INVALID", `Cannot start the cache: ${made.kind.id} is in \`kinds\` twice`);
    selections.set(made.kind.id, made);
  }
  const namespaces = namespace === undefined ? undefined : typeof namespace === "string" ? [namespace] : namespace;
  const log = safeLogger(logger);
  const informers = new InformerSet({
    client,
    clock,
    random,
    logger: log,
    ...(namespaces && { namespaces: new Map([["", namespaces]]) }),
  });
  const cache = new StartedCache(client, informers, (kind) => selections.get(kind.id)?.selection, log);
  for (const { kind, selection } of selections.values()) informers.informer(kind, selection);
  cache.run();
  let onAbort = (): void => {};
  const interrupted = new Promise<never>((_, reject) => {
    onAbort = () => reject(signal?.reason);
    signal?.addEventListener("abort", onAbort, { once: true });
  });
  let late = (): void => {};
  const timer = clock.startTimer(timeoutMs, () => late());
  const overdue = new Promise<never>((_, reject) => {
    late = () => {
      const waits = informers.all.find(({ synced }) => !synced);
      const why = `the list of ${waits?.kind.kind ?? "a kind"} has not arrived within ${timeoutMs / 1_000} s`;
      reject(new OperatorError("WAIT_TIMEOUT", `Cannot start the cache: ${why}`, { cause: waits?.lastError }));
    };
  });
  try {
    await Promise.race([informers.whenSynced(), interrupted, overdue]);
    return cache as unknown as ObjectCache<EntryKind<Entries[number]>>;
  } catch (error) {
    await cache.stop();
    throw error;
  } finally {
    timer.cancel();
    signal?.removeEventListener("abort", onAbort);
  }
}

class StartedCache extends CachedClient {
  readonly #informers: InformerSet;
  readonly #selectionOf: (kind: AnyKind) => Selection | undefined;
  readonly #log: Logger;
  readonly #end = new AbortController();
  #ended: Promise<void> | undefined;

  constructor(
    client: Client,
    informers: InformerSet,
    selectionOf: (kind: AnyKind) => Selection | undefined,
    log: Logger,
  ) {
    super(client, informers, selectionOf);
    this.#informers = informers;
    this.#selectionOf = selectionOf;
    this.#log = log;
  }

  run(): void {
    this.#ended = this.#informers.run(this.#end.signal);
  }

  get lastError(): unknown {
    return this.#informers.all.map(({ lastError }) => lastError).find((error) => error !== undefined);
  }

  onChange<K extends AnyKind>(kind: K, listener: (change: Change<K>) => void): Disposable {
    const selection = this.#selectionOf(kind);
    if (selection === undefined)
      throw new OperatorError("NOT_SUPPORTED", `Cannot observe ${kind.kind} objects: the cache does not have them`);
    const registration = this.#informers.informer(kind, selection).addHandler((change) => {
      deepFreeze(change.old);
      deepFreeze(change.new);
      callSafely(
        () => listener(change),
        (err) => this.#log.error({ err, kind: kind.id, change: change.kind }, "Change listener failed"),
      );
    });
    return { [Symbol.dispose]: () => registration.remove() };
  }

  async stop(): Promise<void> {
    this.#end.abort(new OperatorError("STOPPED", "Cannot continue: the cache was stopped"));
    await this.#ended;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }
}

function isKind(entry: CacheEntry): entry is AnyKind {
  return typeof entry.kind === "string";
}
