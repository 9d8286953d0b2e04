import type { Logger } from "@kubewright/core/log";
import { definitionsBucket, type Registry } from "../registry/index.js";
import type { Change } from "../storage/index.js";
import { DefinitionKeeper } from "./definition-keeper.js";
import { GarbageCollector } from "./garbage-collector.js";
import { NamespaceKeeper } from "./namespace-keeper.js";

/** What keeps the API itself true: definitions, namespaces, owners. Works from storage events, without timers. */
export class Housekeeping {
  readonly #registry: Registry;
  readonly #keepers: readonly (DefinitionKeeper | NamespaceKeeper | GarbageCollector)[];
  readonly #stopListening: () => void;

  constructor(registry: Registry, logger: Logger) {
    this.#registry = registry;
    this.#keepers = [
      new DefinitionKeeper(registry, logger),
      new NamespaceKeeper(registry, logger),
      new GarbageCollector(registry, logger),
    ];
    this.#stopListening = registry.store.listen((bucket, change) => this.#tell(bucket, change));
  }

  /** Nothing is left to do. */
  get idle(): boolean {
    return this.#keepers.every((keeper) => keeper.idle);
  }

  /** Takes up where an earlier process left off: definitions are served, and what was being deleted goes on. */
  async resume(): Promise<void> {
    const { store } = this.#registry;
    store.replay((bucket, change) => {
      if (bucket === definitionsBucket) this.#tell(bucket, change);
    });
    // The work is done in microtasks: after this one the definitions are served, and owners of their kinds are known.
    await new Promise((resolve) => setImmediate(resolve));
    store.replay((bucket, change) => this.#tell(bucket, change));
    await new Promise((resolve) => setImmediate(resolve));
  }

  close(): void {
    this.#stopListening();
    for (const keeper of this.#keepers) keeper.close();
  }

  #tell(bucket: string, change: Change): void {
    for (const keeper of this.#keepers) keeper.onChange(bucket, change);
  }
}
