import type { Logger } from "@kubewright/core/log";
import type { Store } from "./storage/index.js";
import type { RunningWorkloads } from "./workloads/index.js";

/** Resources of which an object calls for workloads: nothing comes of it else. */
const calling: ReadonlySet<string> = new Set([
  "pods",
  "replicationcontrollers",
  "services",
  "persistentvolumeclaims",
  "persistentvolumes",
  "resourcequotas",
  "deployments.apps",
  "replicasets.apps",
  "statefulsets.apps",
  "daemonsets.apps",
  "jobs.batch",
  "cronjobs.batch",
  "poddisruptionbudgets.policy",
  "certificatesigningrequests.certificates.k8s.io",
  "horizontalpodautoscalers.autoscaling",
  "volumeattributesclasses.storage.k8s.io",
]);

/** Whether a service is the cluster's own, which is there from the beginning. */
const ownService = "default/kubernetes";

/** Starts workloads at once, meanwhile, or when the first object is written that calls for them. */
export class WorkloadSwitch {
  readonly #start: () => Promise<RunningWorkloads>;
  readonly #logger: Logger;
  #starting: Promise<void> | undefined;
  #running: RunningWorkloads | undefined;
  #failed = false;
  #stopListening: () => void = () => {};

  constructor(start: () => Promise<RunningWorkloads>, logger: Logger) {
    this.#start = start;
    this.#logger = logger;
  }

  /** Resolves when they run. */
  async now(): Promise<void> {
    this.#running = await this.#start();
  }

  /** Starts them without anybody waiting: the server answers meanwhile. */
  soon(): void {
    this.#stopListening();
    this.#starting ??= this.now().catch((error: unknown) => {
      this.#failed = true;
      this.#logger.error({ err: error }, "Workloads could not be started");
    });
  }

  /** Waits for the first object that calls for them, which may be there already. */
  whenNeeded(store: Store): void {
    const onWrite = (bucket: string, { key }: { readonly key: string }): void => {
      if (!calling.has(bucket) || key === ownService) return;
      this.soon();
    };
    this.#stopListening = store.listen(onWrite);
    store.replay(onWrite);
  }

  get idle(): boolean {
    if (this.#running !== undefined) return this.#running.idle;
    return this.#starting === undefined || this.#failed;
  }

  /** What is under way, in words. */
  busy(): readonly string[] {
    if (this.#running !== undefined) return this.#running.busy();
    return this.idle ? [] : ["workloads are being started"];
  }

  async stop(): Promise<void> {
    this.#stopListening();
    await this.#starting;
    await this.#running?.stop();
  }
}
