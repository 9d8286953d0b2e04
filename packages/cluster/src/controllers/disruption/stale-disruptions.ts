import { formatTime } from "@kubewright/core/meta";
import { isNotFound, may, type RawController, rawController, watch } from "kubewright";
import { Pod } from "kubewright/k8s/core/v1";

/** How long a Pod may keep the condition DisruptionTarget without being deleted. */
const staleMs = 120_000;

/** Sets DisruptionTarget to False on Pods that were not deleted within two minutes. */
export function staleDisruptions(): RawController {
  return rawController({
    name: "stale-disruption-controller",
    fieldManager: "kube-controller-manager",
    uses: [may(Pod, "patchStatus")],
    watches: [
      watch(Pod, {
        to: ({ metadata, status }) =>
          metadata.deletionTimestamp === undefined && status?.conditions?.some(isDisrupted) === true
            ? metadata
            : undefined,
      }),
    ],
    reconcile: async ({ key, find, patchStatus, requeueAfter, clock }) => {
      const [namespace = "", name = ""] = key.split("/");
      const pod = await find(Pod, { namespace, name });
      const condition = pod?.status?.conditions?.find(isDisrupted);
      if (pod === undefined || condition === undefined || pod.metadata.deletionTimestamp !== undefined) return;
      const nowMs = clock.now();
      const dueMs = Date.parse(condition.lastTransitionTime ?? "") + staleMs;
      if (dueMs > nowMs) return requeueAfter(`${dueMs - nowMs}ms`);
      const { uid, generation: observedGeneration } = pod.metadata;
      const lastTransitionTime = formatTime(nowMs);
      const cleared = {
        type: condition.type,
        status: "False",
        reason: null,
        message: null,
        lastTransitionTime,
        observedGeneration,
      };
      try {
        await patchStatus(
          Pod,
          { namespace, name },
          { strategic: { metadata: { uid }, status: { conditions: [cleared] } } },
        );
      } catch (error) {
        if (!isNotFound(error)) throw error;
      }
    },
  });
}

function isDisrupted({ type, status }: { readonly type: string; readonly status: string }): boolean {
  return type === "DisruptionTarget" && status === "True";
}
