import { formatTime } from "@kubewright/core/meta";
import { isAlreadyExists, type NewObject, type ReadOf } from "kubewright";
import { APIService } from "kubewright/k8s/apiregistration/v1";
import type { KubeletUsage } from "./kubelet-usage.js";
import { metricsGroup, metricsResources } from "./resource-metrics.js";

/** Serves metrics resources that are computed on each read. Returns a function that stops serving them. */
export type ServeMetrics = (resources: ReturnType<typeof metricsResources>) => () => void;

const name = `v1beta1.${metricsGroup}`;
const service = { namespace: "kube-system", name: "metrics-server" };

/** What controllers that serve the metrics API do with its APIService. */
export const metricsApiVerbs = ["create", "get", "patchStatus", "delete"] as const;

/** What a run of such a controller does with it. */
interface Context {
  find(kind: typeof APIService, name: string): Promise<ReadOf<typeof APIService> | undefined>;
  create(kind: typeof APIService, object: NewObject<typeof APIService>): Promise<unknown>;
  delete(kind: typeof APIService, name: string): Promise<unknown>;
  patchStatus(kind: typeof APIService, name: string, patch: { readonly merge: object }): Promise<unknown>;
  readonly clock: { now(): number };
}

/** The metrics API of the cluster: served while a node has something to measure, as if a metrics server ran. */
export class MetricsApi {
  /** What kubelets measured last, by node. */
  readonly usages = new Map<string, KubeletUsage>();
  readonly #serve: ServeMetrics;
  readonly #reasons = new Set<string>();
  #stop: (() => void) | undefined;

  constructor(serve: ServeMetrics) {
    this.#serve = serve;
  }

  /** Serves it while there is a reason. */
  async serveFor(reason: string, holds: boolean, context: Context): Promise<void> {
    if (holds) this.#reasons.add(reason);
    else this.#reasons.delete(reason);
    const shouldServe = this.#reasons.size > 0;
    if (shouldServe === (this.#stop !== undefined)) return;
    if (shouldServe) return await this.#start(context);
    this.#stop?.();
    this.#stop = undefined;
    const registered = await context.find(APIService, name);
    if (registered?.spec?.service?.name === service.name) await context.delete(APIService, name);
  }

  async #start({ create, patchStatus, clock }: Context): Promise<void> {
    this.#stop = this.#serve(metricsResources(this.usages));
    const spec = {
      group: metricsGroup,
      version: "v1beta1",
      service,
      insecureSkipTLSVerify: true,
      groupPriorityMinimum: 100,
      versionPriority: 100,
    };
    try {
      await create(APIService, { metadata: { name, labels: { "k8s-app": "metrics-server" } }, spec });
    } catch (error) {
      // It exists from before a restart.
      if (isAlreadyExists(error)) return;
      throw error;
    }
    const condition = {
      type: "Available",
      status: "True",
      lastTransitionTime: formatTime(clock.now()),
      reason: "Passed",
      message: "all checks passed",
    };
    await patchStatus(APIService, name, { merge: { status: { conditions: [condition] } } });
  }
}
