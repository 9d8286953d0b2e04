import { type Client, isNotFound, may, type RawController, rawController, untracked, watch } from "kubewright";
import { HorizontalPodAutoscaler } from "kubewright/k8s/autoscaling/v2";
import { Pod } from "kubewright/k8s/core/v1";
import { AutoscalerStatus } from "./autoscaler-status.js";
import { MetricApis } from "./metric-apis.js";
import { type AutoscalerMemory, syncAutoscaler } from "./sync-autoscaler.js";

/** The HPA sync period. Changes do not trigger an earlier sync; the first sync is one period after creation. */
const syncPeriodMs = 15_000;

/**
 * The HorizontalPodAutoscaler controller. It polls, because metrics send no watch events, but only while an HPA exists.
 * It reads scales of any kind and metrics through `client`.
 */
export function autoscalerController(client: Client): RawController {
  const apis = new MetricApis(client);
  const memories = new Map<string, AutoscalerMemory & { dueMs: number }>();
  return rawController({
    name: "horizontal-pod-autoscaler",
    fieldManager: "kube-controller-manager",
    uses: [untracked(Pod), may(HorizontalPodAutoscaler, "patchStatus")],
    watches: [watch(HorizontalPodAutoscaler, { to: ({ metadata }) => metadata })],
    reconcile: async ({ key, find, list, patchStatus, event, requeueAfter, clock }) => {
      const [namespace = "", name = ""] = key.split("/");
      const autoscaler = await find(HorizontalPodAutoscaler, { namespace, name });
      if (autoscaler === undefined) return void memories.delete(key);
      const nowMs = clock.now();
      const memory = memories.get(key) ?? { dueMs: nowMs + syncPeriodMs, history: undefined, selector: undefined };
      memories.set(key, memory);
      if (memory.dueMs > nowMs) return requeueAfter(`${memory.dueMs - nowMs}ms`);
      memory.dueMs = nowMs + syncPeriodMs;
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
          [...memories]
            .filter(
              ([other, { selector }]) =>
                other.startsWith(`${namespace}/`) && pods.some(({ metadata }) => selector?.matches(metadata.labels)),
            )
            // Go's formatting of a (name, namespace) pair.
            .map(([other]) => `{${other.slice(namespace.length + 1)} ${namespace}}`)
            .sort(),
      });
      const patch = status.patch();
      if (patch !== undefined) {
        try {
          await patchStatus(HorizontalPodAutoscaler, { namespace, name }, { merge: { status: patch } });
        } catch (error) {
          // The HPA was deleted meanwhile. The watch reports it.
          if (!isNotFound(error)) throw error;
        }
      }
      return requeueAfter(`${syncPeriodMs}ms`);
    },
  });
}
