import { type Client, isNotFound, may, type RawController, rawController, watch } from "kubewright";
import { HorizontalPodAutoscaler } from "kubewright/k8s/autoscaling/v2";
import { Pod } from "kubewright/k8s/core/v1";
import { AutoscalerStatus } from "./autoscaler-status.js";
import { MetricApis } from "./metric-apis.js";
import { type AutoscalerMemory, syncAutoscaler } from "./sync-autoscaler.js";

/** An autoscaler has its turn every so often, and not sooner whatever happens; the first time so long after it was made. */
const turnMs = 15_000;

/**
 * Scales what autoscalers name by what its pods use. Looks again and again, since metrics tell nobody that they changed: but only while there is an
 * autoscaler. `client` asks for scales of any kind, and for metrics.
 */
export function autoscalerController(client: Client): RawController {
  const apis = new MetricApis(client);
  const remembered = new Map<string, AutoscalerMemory & { dueMs: number }>();
  return rawController({
    name: "horizontal-pod-autoscaler",
    fieldManager: "kube-controller-manager",
    uses: [Pod, may(HorizontalPodAutoscaler, "patchStatus")],
    watches: [watch(HorizontalPodAutoscaler, { to: ({ metadata }) => metadata })],
    reconcile: async ({ key, find, list, patchStatus, event, requeueAfter, clock }) => {
      const [namespace = "", name = ""] = key.split("/");
      const autoscaler = await find(HorizontalPodAutoscaler, { namespace, name });
      if (autoscaler === undefined) return void remembered.delete(key);
      const nowMs = clock.now();
      const memory = remembered.get(key) ?? { dueMs: nowMs + turnMs, history: undefined, selector: undefined };
      remembered.set(key, memory);
      if (memory.dueMs > nowMs) return requeueAfter(`${memory.dueMs - nowMs}ms`);
      memory.dueMs = nowMs + turnMs;
      const status = new AutoscalerStatus(autoscaler, nowMs);
      await syncAutoscaler(autoscaler, {
        client,
        apis,
        status,
        memory,
        nowMs,
        event: (type, reason, note) => event(HorizontalPodAutoscaler, autoscaler, type, reason, note),
        pods: async (selector) =>
          (await list(Pod, { namespace })).filter(({ metadata }) => selector.matches(metadata.labels)),
        autoscalersOf: (pods) =>
          [...remembered]
            .filter(
              ([other, { selector }]) =>
                other.startsWith(`${namespace}/`) && pods.some(({ metadata }) => selector?.matches(metadata.labels)),
            )
            // As Go prints a pair of name and namespace.
            .map(([other]) => `{${other.slice(namespace.length + 1)} ${namespace}}`)
            .sort(),
      });
      const patch = status.patch();
      if (patch !== undefined) {
        try {
          await patchStatus(HorizontalPodAutoscaler, { namespace, name }, { merge: { status: patch } });
        } catch (error) {
          // It went meanwhile: a change will tell.
          if (!isNotFound(error)) throw error;
        }
      }
      return requeueAfter(`${turnMs}ms`);
    },
  });
}
