import { setMaxListeners } from "node:events";
import { isJsonObject } from "@kubewright/core/json";
import type { Transport } from "@kubewright/core/transport";
import { isKubeObject, type KubeObject, textAt } from "./kube-object.js";
import { pathOfAll, type ResourceType, typeOf } from "./resources.js";

/** The last known state of an object. */
export interface Observed {
  readonly type: ResourceType;
  readonly object: KubeObject;
  /** Order of first appearance. */
  readonly order: number;
}

type Listener = (observed: Observed) => void;

/**
 * The objects of a cluster, kept current by one watch per kind across all namespaces, shared by all scenarios.
 *
 * Also keeps deleted objects, because events and messages contain their names and addresses.
 */
export class View {
  readonly #transport: Transport;
  readonly #abort = new AbortController();
  readonly #present = new Map<string, Observed>();
  readonly #all = new Map<string, Observed>();
  readonly #lastMs = new Map<string, number>();
  readonly #listeners = new Set<Listener>();
  readonly #watches: Promise<void>[] = [];
  #seen = 0;
  #events = 0;

  constructor(transport: Transport) {
    this.#transport = transport;
    // One for each watch.
    setMaxListeners(0, this.#abort.signal);
  }

  /** The total number of watch events. */
  get events(): number {
    return this.#events;
  }

  /** Adds a listener for every added or modified object. */
  listen(listener: Listener): void {
    this.#listeners.add(listener);
  }

  /** Lists and watches these kinds. Resolves when they are listed. */
  async start(kinds: readonly string[]): Promise<void> {
    await Promise.all(kinds.map((kind) => this.#listAndWatch(typeOf(kind))));
  }

  /** The current objects of a kind in order of appearance; in one namespace, or cluster-scoped. */
  list(kind: string, namespace?: string): Observed[] {
    return [...this.#present.values()].filter(
      ({ type, object }) =>
        type.kind === kind && (!type.namespaced || namespace === undefined || namespaceOf(object) === namespace),
    );
  }

  /** All current and deleted objects of every kind. */
  get everything(): Iterable<Observed> {
    return this.#all.values();
  }

  /** The time of the last change in a namespace ("" for cluster-scoped objects), by the monotonic clock. */
  lastChangeMs(namespace: string): number {
    return this.#lastMs.get(namespace) ?? 0;
  }

  async close(): Promise<void> {
    this.#abort.abort();
    await Promise.all(this.#watches);
  }

  async #listAndWatch(type: ResourceType): Promise<void> {
    const path = pathOfAll(type);
    const { status, body } = await this.#transport.send({ method: "GET", path, withoutManagedFields: true });
    if (status !== 200 || !isJsonObject(body)) throw new Error(`Cannot list ${type.plural}: ${JSON.stringify(body)}`);
    const items = body["items"];
    if (Array.isArray(items)) for (const item of items) this.#take(type, "ADDED", item);
    const query = {
      watch: "true",
      resourceVersion: textAt(body, "metadata", "resourceVersion"),
      timeoutSeconds: "3600",
    };
    const signal = this.#abort.signal;
    const stream = await this.#transport.stream({ method: "GET", path, query, withoutManagedFields: true, signal });
    if (stream.kind === "answer")
      throw new Error(`Cannot watch ${type.plural}: ${JSON.stringify(stream.response.body)}`);
    this.#watches.push(this.#follow(type, stream.items));
  }

  async #follow(type: ResourceType, items: AsyncIterable<unknown>): Promise<void> {
    try {
      for await (const event of items)
        if (isJsonObject(event)) this.#take(type, String(event["type"]), event["object"]);
    } catch (error) {
      if (!this.#abort.signal.aborted) throw error;
    }
  }

  #take(type: ResourceType, event: string, object: unknown): void {
    if (!isKubeObject(object)) return;
    this.#events++;
    const namespace = type.namespaced ? namespaceOf(object) : "";
    this.#lastMs.set(namespace, performance.now());
    const { uid } = object.metadata;
    const observed = { type, object, order: this.#all.get(uid)?.order ?? this.#seen++ };
    this.#all.set(uid, observed);
    if (event === "DELETED") {
      this.#present.delete(uid);
      return;
    }
    this.#present.set(uid, observed);
    for (const listener of this.#listeners) listener(observed);
  }
}

function namespaceOf(object: KubeObject): string {
  return textAt(object, "metadata", "namespace");
}
