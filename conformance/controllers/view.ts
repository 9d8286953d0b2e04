import { setMaxListeners } from "node:events";
import { isJsonObject } from "@kubewright/core/json";
import type { Transport } from "@kubewright/core/transport";
import { isKubeObject, type KubeObject, textAt } from "./kube-object.js";
import { pathOfAll, type ResourceType, typeOf } from "./resources.js";

/** An object as it was seen last, and when it came. */
export interface Sighting {
  readonly type: ResourceType;
  readonly object: KubeObject;
  /** Counts objects in the order in which they were first seen. */
  readonly order: number;
}

type Listener = (sighting: Sighting) => void;

/**
 * What a cluster holds, followed by watches in all namespaces: one for each kind, however many scenarios look.
 *
 * Also keeps what has gone, because names and addresses of it stand in events and messages.
 */
export class View {
  readonly #transport: Transport;
  readonly #abort = new AbortController();
  readonly #present = new Map<string, Sighting>();
  readonly #all = new Map<string, Sighting>();
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

  /** How many events came, in all. */
  get events(): number {
    return this.#events;
  }

  /** Hears of every object that comes or changes. */
  listen(listener: Listener): void {
    this.#listeners.add(listener);
  }

  /** Begins to watch these kinds. Resolves when they are known. */
  async start(kinds: readonly string[]): Promise<void> {
    await Promise.all(kinds.map((kind) => this.#begin(typeOf(kind))));
  }

  /** What there is now of a kind, in the order of appearance; in one namespace, or of a kind that has none. */
  list(kind: string, namespace?: string): Sighting[] {
    return [...this.#present.values()].filter(
      ({ type, object }) =>
        type.kind === kind && (!type.namespaced || namespace === undefined || namespaceOf(object) === namespace),
    );
  }

  /** All that there is or was, of every kind. */
  get everything(): Iterable<Sighting> {
    return this.#all.values();
  }

  /** When something last changed in a namespace, or at an object without one ("" for the namespace); by the monotonic clock. */
  lastChangeMs(namespace: string): number {
    return this.#lastMs.get(namespace) ?? 0;
  }

  async close(): Promise<void> {
    this.#abort.abort();
    await Promise.all(this.#watches);
  }

  async #begin(type: ResourceType): Promise<void> {
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
    const sighting = { type, object, order: this.#all.get(uid)?.order ?? this.#seen++ };
    this.#all.set(uid, sighting);
    if (event === "DELETED") {
      this.#present.delete(uid);
      return;
    }
    this.#present.set(uid, sighting);
    for (const listener of this.#listeners) listener(sighting);
  }
}

function namespaceOf(object: KubeObject): string {
  return textAt(object, "metadata", "namespace");
}
