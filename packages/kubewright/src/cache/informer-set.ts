import type { Clock } from "@kubewright/core/clock";
import { OperatorError } from "@kubewright/core/errors";
import type { ObjectKey } from "@kubewright/core/identity";
import type { Logger } from "@kubewright/core/log";
import type { Client, Trace } from "../client/index.js";
import { objectMeta } from "../client/index.js";
import type { AnyKind, ReadOf } from "../definition/index.js";
import { Informer } from "./informer.js";

/** What the informers of a set have in common. */
export interface InformerSetOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly random: () => number;
  /** The namespace whose objects are kept; all namespaces where it is left out. */
  readonly namespace?: string;
  /**
   * Kinds whose objects keep their managed fields: what this program owns, where they tell what it has applied already. All others do without,
   * which halves their memory. @default none
   */
  readonly managed?: readonly AnyKind[];
  /** Whether the objects that are there come as the beginning of the watch, where the server can. @default true */
  readonly streaming?: boolean;
  readonly logger?: Logger;
  readonly trace?: Trace;
}

/**
 * The informers of one program: one per kind and namespace, however many ask for it.
 *
 * Informers start with `run`; one that is asked for later starts at once.
 */
export class InformerSet {
  readonly #options: InformerSetOptions;
  /** The kind's types are lost in a map of all kinds; {@link informer} gives them back by the kind's id. */
  readonly #informers = new Map<string, Informer<AnyKind>>();
  readonly #running = new Set<Promise<void>>();
  #signal: AbortSignal | undefined;

  constructor(options: InformerSetOptions) {
    this.#options = options;
  }

  /** The informer for a kind, made when it is first asked for. */
  informer<K extends AnyKind>(kind: K, namespace: string | undefined = this.#options.namespace): Informer<K> {
    const scope = kind.scope === "Cluster" ? undefined : namespace;
    const id = `${kind.id} ${scope ?? ""}`;
    const known = this.#informers.get(id);
    if (known !== undefined) return known as unknown as Informer<K>;
    const { namespace: _, managed = [], ...common } = this.#options;
    const managedFields = managed.some((other) => other.id === kind.id);
    const made = new Informer<K>({ ...common, kind, managedFields, ...(scope !== undefined && { namespace: scope }) });
    this.#informers.set(id, made as unknown as Informer<AnyKind>);
    if (this.#signal !== undefined) this.#start(made as unknown as Informer<AnyKind>, this.#signal);
    return made;
  }

  /** The informer that holds objects of this kind in this namespace ("" for all, or for cluster-scoped kinds); undefined when none does. */
  covering<K extends AnyKind>(kind: K, namespace: string): Informer<K> | undefined {
    const informer = this.#informers.get(`${kind.id} `) ?? this.#informers.get(`${kind.id} ${namespace}`);
    return informer as unknown as Informer<K> | undefined;
  }

  /** Runs every informer until `signal` aborts. Resolves when all have stopped. Can run once. */
  async run(signal: AbortSignal): Promise<void> {
    if (this.#signal !== undefined)
      throw new OperatorError("STOPPED", "Cannot start the informers again: they run or have run");
    this.#signal = signal;
    for (const informer of this.#informers.values()) this.#start(informer, signal);
    if (!signal.aborted) await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
    await Promise.all(this.#running);
  }

  /** Every informer of the set, for health and the console. */
  get all(): readonly Informer<AnyKind>[] {
    return [...this.#informers.values()];
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
    this.#noting(kind, objectMeta(object).namespace ?? "", (informer) => informer.noteWrite(object));
  }

  /** Takes that an object is gone into every informer that would show it. */
  noteDelete<K extends AnyKind>(kind: K, key: ObjectKey, uid: string): void {
    this.#noting(kind, key.namespace, (informer) => informer.noteDelete(key, uid));
  }

  #noting<K extends AnyKind>(kind: K, namespace: string, note: (informer: Informer<K>) => void): void {
    for (const scope of new Set(["", namespace])) {
      const informer = this.#informers.get(`${kind.id} ${scope}`);
      if (informer !== undefined) note(informer as unknown as Informer<K>);
    }
  }

  #start(informer: Informer<AnyKind>, signal: AbortSignal): void {
    const running = informer.run(signal);
    this.#running.add(running);
    void running.finally(() => this.#running.delete(running));
  }
}
