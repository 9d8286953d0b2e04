import { setMaxListeners } from "node:events";
import type { Clock } from "@kubewright/core/clock";
import { OperatorError } from "@kubewright/core/errors";
import type { ObjectKey } from "@kubewright/core/identity";
import { type Logger, silentLogger } from "@kubewright/core/log";
import type { Client, StageListener } from "../client/index.js";
import { metadataId, metadataPart, objectMeta, wholeId } from "../client/index.js";
import type { AnyKind, ReadOf } from "../definition/index.js";
import { Informer } from "./informer.js";
import { everything, type Selection } from "./selection.js";

/** Options of all informers of a set. */
export interface InformerSetOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly random: () => number;
  /** The namespaces to watch, per cluster ("" for the operator's own). @default all namespaces */
  readonly namespaces?: ReadonlyMap<string, readonly string[]>;
  /**
   * Kinds whose objects keep managedFields: owned kinds, where they show what was already applied. Dropping them halves the memory of the other
   * kinds. @default none
   */
  readonly managed?: readonly AnyKind[];
  /** Whether to stream the initial list as part of the watch (sendInitialEvents) if the server supports it. @default true */
  readonly streaming?: boolean;
  /** Called for each failed list or watch, before the backoff. Must not throw. */
  readonly onFailure?: (kind: AnyKind, error: unknown) => void;
  readonly logger?: Logger;
  readonly onStage?: StageListener;
}

interface Entry {
  /** A map of all kinds loses the kind's types; {@link InformerSet.informer} restores them by the kind's id. */
  readonly informer: Informer<AnyKind>;
  readonly end: AbortController;
  holders: number;
}

/**
 * The informers of one operator: one per kind and selection, shared by all users.
 *
 * Informers start with `run`; one that is requested later starts at once. An informer stops when its last holder releases it.
 */
export class InformerSet {
  readonly #options: InformerSetOptions;
  readonly #log: Logger;
  readonly #managed: Set<string>;
  /** By kind id and selection id. */
  readonly #entries = new Map<string, Map<string, Entry>>();
  readonly #running = new Set<Promise<void>>();
  #signal: AbortSignal | undefined;

  constructor(options: InformerSetOptions) {
    this.#options = options;
    this.#managed = new Set(options.managed?.map(({ id }) => id));
    this.#log = options.logger ?? silentLogger;
  }

  /** Returns the informer for a kind and a selection, and creates it on the first call. */
  informer<K extends AnyKind>(kind: K, selection: Selection = everything): Informer<K> {
    const known = this.#entries.get(kind.id)?.get(selection.id);
    if (known !== undefined) {
      for (const index of selection.indexes.values()) known.informer.ensureIndex(index);
      return known.informer as unknown as Informer<K>;
    }
    const { namespaces, managed: _, onFailure, ...common } = this.#options;
    const managedFields = this.#managed.has(kind.id);
    const own = kind.scope === "Cluster" ? undefined : namespaces?.get(kind.cluster ?? "");
    const scoped = own === undefined ? {} : { namespaces: own };
    const made = new Informer<K>({
      ...common,
      kind,
      selection,
      managedFields,
      ...scoped,
      ...(onFailure && { onFailure: (error) => onFailure(kind, error) }),
    });
    const entry: Entry = { informer: made as unknown as Informer<AnyKind>, end: new AbortController(), holders: 0 };
    const ofKind = this.#entries.get(kind.id) ?? new Map<string, Entry>();
    this.#entries.set(kind.id, ofKind.set(selection.id, entry));
    for (const index of selection.indexes.values()) made.ensureIndex(index);
    if (cachesAllSecrets(entry.informer)) {
      this.#log.warn(
        { kind: kind.id },
        "All Secrets of the cluster are cached in memory; restrict them with `select` or namespaces, or read with `live`",
      );
    }
    if (this.#signal !== undefined) this.#start(entry, this.#signal);
    return made;
  }

  /**
   * Makes the informers of these kinds keep managedFields, like the option `managed`. Existing ones relist; resolves when they have done so, or
   * have stopped.
   */
  async manage(kinds: readonly AnyKind[]): Promise<void> {
    for (const { id } of kinds) this.#managed.add(id);
    const existing = kinds.flatMap(({ id }) => [...(this.#entries.get(id)?.values() ?? [])]);
    await Promise.allSettled(existing.map(({ informer }) => informer.keepManagedFields()));
  }

  /** As {@link informer}, and keeps it running until the returned function is called. It stops with the last holder. */
  hold<K extends AnyKind>(kind: K, selection: Selection = everything): () => Promise<void> {
    this.informer(kind, selection);
    const entry = this.#entries.get(kind.id)?.get(selection.id);
    if (entry !== undefined) entry.holders += 1;
    let held = entry;
    return async () => {
      if (held === undefined) return;
      const { informer, end } = held;
      held.holders -= 1;
      const last = held.holders === 0;
      held = undefined;
      if (!last) return;
      const ofKind = this.#entries.get(kind.id);
      if (ofKind?.get(selection.id)?.informer === informer) ofKind.delete(selection.id);
      end.abort(
        new OperatorError("STOPPED", `Cannot watch ${kind.kind} objects: the last holder released the informer`),
      );
      if (this.#signal !== undefined) await informer.ended;
    };
  }

  /** Returns the informer that covers a selection in this namespace ("" for all namespaces or a cluster-scoped kind); undefined if there is none. */
  covering<K extends AnyKind>(kind: K, namespace: string, selection: Selection = everything): Informer<K> | undefined {
    const informer = this.#entries.get(kind.id)?.get(selection.id)?.informer;
    return informer?.covers(namespace) ? (informer as unknown as Informer<K>) : undefined;
  }

  /** Runs every informer until `signal` aborts. Resolves when all have stopped. Can run once. */
  async run(signal: AbortSignal): Promise<void> {
    if (this.#signal !== undefined)
      throw new OperatorError("STOPPED", "Cannot start the informers: they were already started");
    this.#signal = signal;
    // One listener per informer is not a leak.
    setMaxListeners(0, signal);
    for (const ofKind of this.#entries.values()) for (const entry of ofKind.values()) this.#start(entry, signal);
    if (!signal.aborted) await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
    await Promise.all(this.#running);
  }

  /** All informers of the set, for health checks and the console. */
  get all(): readonly Informer<AnyKind>[] {
    return [...this.#entries.values()].flatMap((ofKind) => [...ofKind.values()].map(({ informer }) => informer));
  }

  /** Whether every initial list has arrived. */
  get synced(): boolean {
    return this.all.every((informer) => informer.synced);
  }

  /** Whether every watch is open and all its events have been delivered. */
  get idle(): boolean {
    return this.all.every((informer) => informer.idle);
  }

  /** Resolves when every initial list has arrived; rejects if an informer stops before. */
  async whenSynced(): Promise<void> {
    await Promise.all(this.all.map((informer) => informer.whenSynced()));
  }

  /**
   * Records the response of a write in every informer that covers the object, also in those of its metadata only. The response to a write by
   * `metadataOnly` lacks what the informers of whole objects need.
   */
  noteWrite<K extends AnyKind>(kind: K, object: ReadOf<K>): void {
    const { namespace = "" } = objectMeta(object);
    for (const informer of this.#allCovering(kind.id, namespace)) informer.noteWrite(object as ReadOf<AnyKind>);
    const id = metadataId(kind);
    const partial = id === kind.id ? [] : this.#allCovering(id, namespace);
    if (partial.length === 0) return;
    const metadata = metadataPart(kind, object as { readonly metadata?: unknown }) as ReadOf<AnyKind>;
    for (const informer of partial) informer.noteWrite(metadata);
  }

  /** Records the deletion of an object in every informer that covers it, or its metadata. */
  noteDelete<K extends AnyKind>(kind: K, key: ObjectKey, uid: string): void {
    for (const id of [wholeId(kind), metadataId(kind)])
      for (const informer of this.#allCovering(id, key.namespace)) informer.noteDelete(key, uid);
  }

  #allCovering(kindId: string, namespace: string): Informer<AnyKind>[] {
    const found: Informer<AnyKind>[] = [];
    for (const { informer } of this.#entries.get(kindId)?.values() ?? [])
      if (informer.covers(namespace)) found.push(informer);
    return found;
  }

  #start({ informer, end }: Entry, signal: AbortSignal): void {
    const running = informer.run(AbortSignal.any([signal, end.signal]));
    this.#running.add(running);
    void running.finally(() => this.#running.delete(running));
  }
}

/** All Secrets of a cluster are many, rarely all needed, and sensitive. */
function cachesAllSecrets({ kind, namespaces, selection }: Informer<AnyKind>): boolean {
  if (kind.id !== "/v1/Secret" || namespaces !== undefined) return false;
  return selection.labels === undefined && selection.fields === undefined && selection.transform === undefined;
}
