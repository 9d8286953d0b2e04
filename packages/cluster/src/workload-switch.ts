import type { Logger } from "@kubewright/core/log";
import type { Store } from "./storage/index.js";
import type { RunningWorkloads } from "./workloads/index.js";

/** Resources whose objects need controllers, scheduler or nodes. */
const triggers: ReadonlySet<string> = new Set([
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

/** The API server's own Service, which always exists and needs no workloads. */
const apiServerService = "default/kubernetes";

/** Starts workloads: immediately, in the background, or when the first object that needs them is written. */
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

  /** Starts the workloads unless they were started; resolves once they run. */
  start(): Promise<void> {
    this.#starting ??= this.#launch();
    return this.#starting;
  }

  async #launch(): Promise<void> {
    this.#running = await this.#start();
  }

  /** Starts the workloads in the background, while the API server already serves. */
  startInBackground(): void {
    this.#stopListening();
    if (this.#starting !== undefined) return;
    this.#starting = this.start().catch((error: unknown) => {
      this.#failed = true;
      this.#logger.error({ err: error }, "Cannot start workloads");
    });
  }

  /** Starts the workloads unless they were started; resolves once they run, or failed to start. */
  async ensureStarted(): Promise<void> {
    if (this.#running !== undefined) return;
    this.startInBackground();
    await this.#starting;
  }

  /** Starts the workloads with the first object that needs them, including objects that exist already. */
  startOnDemand(store: Store): void {
    const onWrite = (bucket: string, { key }: { readonly key: string }): void => {
      if (!triggers.has(bucket) || key === apiServerService) return;
      this.startInBackground();
    };
    this.#stopListening = store.listen(onWrite);
    for (const bucket of triggers) for (const record of store.bucket(bucket).list()) onWrite(bucket, record);
  }

  get idle(): boolean {
    if (this.#running !== undefined) return this.#running.idle;
    return this.#starting === undefined || this.#failed;
  }

  /** Descriptions of the running work. */
  busy(): readonly string[] {
    if (this.#running !== undefined) return this.#running.busy();
    return this.idle ? [] : ["workloads are being started"];
  }

  async stop(): Promise<void> {
    this.#stopListening();
    await this.#starting?.catch(() => undefined);
    await this.#running?.stop();
  }
}
