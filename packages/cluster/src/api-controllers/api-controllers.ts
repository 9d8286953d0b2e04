import type { Logger } from "@kubewright/core/log";
import { definitionsBucket, type Registry } from "../registry/index.js";
import type { Change } from "../storage/index.js";
import { AggregationController } from "./aggregation-controller.js";
import { CrdController } from "./crd-controller.js";
import { GarbageCollector } from "./garbage-collector.js";
import { NamespaceController } from "./namespace-controller.js";

/** Runs the CRD controller, the namespace controller, the garbage collector and ClusterRole aggregation on storage events, without timers. */
export class ApiControllers {
  readonly #registry: Registry;
  readonly #controllers: readonly (CrdController | NamespaceController | GarbageCollector | AggregationController)[];
  readonly #stopListening: () => void;

  constructor(registry: Registry, logger: Logger) {
    this.#registry = registry;
    this.#controllers = [
      new CrdController(registry, logger),
      new NamespaceController(registry, logger),
      new GarbageCollector(registry, logger),
      new AggregationController(registry, logger),
    ];
    this.#stopListening = registry.store.listen((bucket, change) => this.#notify(bucket, change));
  }

  /** Whether no controller has queued work. */
  get idle(): boolean {
    return this.#controllers.every((controller) => controller.idle);
  }

  /** Continues after a restart: serves the stored CRDs and resumes unfinished deletions. */
  async resume(): Promise<void> {
    const { store } = this.#registry;
    store.replay((bucket, change) => {
      if (bucket === definitionsBucket) this.#notify(bucket, change);
    });
    // Controllers work in microtasks. CRDs come first, so that the garbage collector knows the kinds of all owners.
    await new Promise((resolve) => setImmediate(resolve));
    store.replay((bucket, change) => this.#notify(bucket, change));
    await new Promise((resolve) => setImmediate(resolve));
  }

  close(): void {
    this.#stopListening();
    for (const controller of this.#controllers) controller.close();
  }

  #notify(bucket: string, change: Change): void {
    for (const controller of this.#controllers) controller.onChange(bucket, change);
  }
}
