import { setMaxListeners } from "node:events";
import type { Clock } from "@kubewright/core/clock";
import { OperatorError } from "@kubewright/core/errors";
import type { ObjectKey } from "@kubewright/core/identity";
import { type Logger, silentLogger } from "@kubewright/core/log";
import type { Client, Trace } from "../client/index.js";
import { objectMeta } from "../client/index.js";
import type { AnyKind, ReadOf } from "../definition/index.js";
import { Informer } from "./informer.js";
import { everything, type Selection } from "./selection.js";

/** What the informers of a set have in common. */
export interface InformerSetOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly random: () => number;
  /** The namespaces whose objects are kept, per cluster ("" for the program's own); all namespaces where it is left out. */
  readonly namespaces?: ReadonlyMap<string, readonly string[]>;
  /**
   * Kinds whose objects keep their managed fields: what this program owns, where they tell what it has applied already. All others do without,
   * which halves their memory. @default none
   */
  readonly managed?: readonly AnyKind[];
  /** Whether the objects that are there come as the beginning of the watch, where the server can. @default true */
  readonly streaming?: boolean;
  /** Is told of each failed list or watch, before the pause that follows. Must not throw. */
  readonly onFailure?: (kind: AnyKind, error: unknown) => void;
  readonly logger?: Logger;
  readonly trace?: Trace;
}

interface Kept {
  /** The kind's types are lost in a map of all kinds; {@link InformerSet.informer} gives them back by the kind's id. */
  readonly informer: Informer<AnyKind>;
  readonly end: AbortController;
  holders: number;
}

/**
 * The informers of one program: one per kind and selection, however many ask for it.
 *
 * Informers start with `run`; one that is asked for later starts at once. One that was held and that nobody holds any more stops.
 */
export class InformerSet {
  readonly #options: InformerSetOptions;
  readonly #log: Logger;
  readonly #managed: Set<string>;
  /** By the ids of kind and selection. */
  readonly #kept = new Map<string, Map<string, Kept>>();
  readonly #running = new Set<Promise<void>>();
  #signal: AbortSignal | undefined;

  constructor(options: InformerSetOptions) {
    this.#options = options;
    this.#managed = new Set(options.managed?.map(({ id }) => id));
    this.#log = options.logger ?? silentLogger;
  }

  /** The informer for a kind and a selection of its objects, made when it is first asked for. */
  informer<K extends AnyKind>(kind: K, selection: Selection = everything): Informer<K> {
    const known = this.#kept.get(kind.id)?.get(selection.id);
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
    const kept: Kept = { informer: made as unknown as Informer<AnyKind>, end: new AbortController(), holders: 0 };
    const ofKind = this.#kept.get(kind.id) ?? new Map<string, Kept>();
    this.#kept.set(kind.id, ofKind.set(selection.id, kept));
    for (const index of selection.indexes.values()) made.ensureIndex(index);
    if (keepsAllSecrets(kept.informer)) {
      this.#log.warn(
        { kind: kind.id },
        "Every Secret of the cluster is kept in memory; narrow it by `select` or a namespace, or read with `live`",
      );
    }
    if (this.#signal !== undefined) this.#start(kept, this.#signal);
    return made;
  }

  /** From now on informers of these kinds keep managed fields, as with the option `managed`; those that are there stay as they are. */
  manage(kinds: readonly AnyKind[]): void {
    for (const { id } of kinds) this.#managed.add(id);
  }

  /** As {@link informer}, and keeps it running until the function that is given back is called; with the last one it stops. */
  hold<K extends AnyKind>(kind: K, selection: Selection = everything): () => Promise<void> {
    this.informer(kind, selection);
    const kept = this.#kept.get(kind.id)?.get(selection.id);
    if (kept !== undefined) kept.holders += 1;
    let held = kept;
    return async () => {
      if (held === undefined) return;
      const { informer, end } = held;
      held.holders -= 1;
      const last = held.holders === 0;
      held = undefined;
      if (!last) return;
      const ofKind = this.#kept.get(kind.id);
      if (ofKind?.get(selection.id)?.informer === informer) ofKind.delete(selection.id);
      end.abort(new OperatorError("STOPPED", `Cannot go on: nobody needs the objects of ${kind.kind} any more`));
      if (this.#signal !== undefined) await informer.ended;
    };
  }

  /** The informer that shows the objects of a selection in this namespace ("" for all, or for cluster-scoped kinds); undefined when none does. */
  covering<K extends AnyKind>(kind: K, namespace: string, selection: Selection = everything): Informer<K> | undefined {
    const informer = this.#kept.get(kind.id)?.get(selection.id)?.informer;
    return informer?.covers(namespace) ? (informer as unknown as Informer<K>) : undefined;
  }

  /** Runs every informer until `signal` aborts. Resolves when all have stopped. Can run once. */
  async run(signal: AbortSignal): Promise<void> {
    if (this.#signal !== undefined)
      throw new OperatorError("STOPPED", "Cannot start the informers again: they run or have run");
    this.#signal = signal;
    // Each informer listens: many at once are no leak.
    setMaxListeners(0, signal);
    for (const ofKind of this.#kept.values()) for (const kept of ofKind.values()) this.#start(kept, signal);
    if (!signal.aborted) await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
    await Promise.all(this.#running);
  }

  /** Every informer of the set, for health and the console. */
  get all(): readonly Informer<AnyKind>[] {
    return [...this.#kept.values()].flatMap((ofKind) => [...ofKind.values()].map(({ informer }) => informer));
  }

  /** Whether every first list has arrived. */
  get synced(): boolean {
    return this.all.every((informer) => informer.synced);
  }

  /** Whether every watch is open and everything that it brought was handed on. */
  get idle(): boolean {
    return this.all.every((informer) => informer.idle);
  }

  /** Resolves when every first list has arrived; rejects when one stops before. */
  async whenSynced(): Promise<void> {
    await Promise.all(this.all.map((informer) => informer.whenSynced()));
  }

  /** Takes the server's answer to a write into every informer that would show the object. */
  noteWrite<K extends AnyKind>(kind: K, object: ReadOf<K>): void {
    for (const informer of this.#showing(kind, objectMeta(object).namespace ?? "")) informer.noteWrite(object);
  }

  /** Takes that an object is gone into every informer that would show it. */
  noteDelete<K extends AnyKind>(kind: K, key: ObjectKey, uid: string): void {
    for (const informer of this.#showing(kind, key.namespace)) informer.noteDelete(key, uid);
  }

  #showing<K extends AnyKind>(kind: K, namespace: string): Informer<K>[] {
    const showing: Informer<K>[] = [];
    for (const { informer } of this.#kept.get(kind.id)?.values() ?? [])
      if (informer.covers(namespace)) showing.push(informer as unknown as Informer<K>);
    return showing;
  }

  #start({ informer, end }: Kept, signal: AbortSignal): void {
    const running = informer.run(AbortSignal.any([signal, end.signal]));
    this.#running.add(running);
    void running.finally(() => this.#running.delete(running));
  }
}

/** What grows with the cluster, is rarely needed whole, and should not lie in many memories. */
function keepsAllSecrets({ kind, namespaces, selection }: Informer<AnyKind>): boolean {
  if (kind.id !== "/v1/Secret" || namespaces !== undefined) return false;
  return selection.labels === undefined && selection.fields === undefined && selection.transform === undefined;
}
