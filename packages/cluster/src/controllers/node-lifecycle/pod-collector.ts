import { formatTime } from "@kubewright/core/meta";
import { isNotFound, may, type RawController, rawController, watch } from "kubewright";
import { Node, Pod } from "kubewright/k8s/core/v1";

/** How long a node must be gone until its pods are: it may only be about to register. */
const quarantineMs = 40_000;

/** Collects pods that nobody ends any more: those of nodes that are gone, and those that were deleted before they had one. */
export function podCollector(): RawController {
  /** Since when the node of a pod is missed, by the pod's key. */
  const missedSince = new Map<string, { readonly uid: string; readonly atMs: number }>();
  return rawController({
    name: "pod-garbage-collector",
    fieldManager: "kube-controller-manager",
    uses: [may(Pod, "patchStatus", "delete")],
    watches: [
      watch(Pod, {
        // A pod that is where it should be is of no concern.
        to: ({ metadata, spec }, cached) => {
          const { namespace = "", name } = metadata;
          const isMissed = missedSince.has(`${namespace}/${name}`);
          const node = spec?.nodeName;
          if (node === undefined) return isMissed || metadata.deletionTimestamp !== undefined ? metadata : undefined;
          return isMissed || cached.find(Node, { namespace: "", name: node }) === undefined ? metadata : undefined;
        },
        when: ({ old, new: now }) =>
          old?.spec?.nodeName !== now?.spec?.nodeName ||
          old?.metadata.deletionTimestamp !== now?.metadata.deletionTimestamp,
      }),
      watch(Node, {
        to: ({ metadata }, cached) =>
          cached.list(Pod).flatMap((pod) => (pod.spec?.nodeName === metadata.name ? [pod.metadata] : [])),
        when: ({ kind }) => kind !== "updated",
      }),
    ],
    reconcile: async ({ key, find, patchStatus, delete: remove, requeueAfter, clock }) => {
      const [namespace = "", name = ""] = key.split("/");
      const where = { namespace, name };
      const pod = await find(Pod, where);
      const { uid = "", deletionTimestamp, generation: observedGeneration } = pod?.metadata ?? {};
      const { nodeName } = pod?.spec ?? {};
      const isUnplaced = nodeName === undefined && deletionTimestamp !== undefined;
      if (pod === undefined || (nodeName === undefined && !isUnplaced)) return void missedSince.delete(key);
      if (nodeName !== undefined && (await find(Node, nodeName)) !== undefined) return void missedSince.delete(key);
      const nowMs = clock.now();
      if (!isUnplaced) {
        const missed = missedSince.get(key);
        const sinceMs = missed?.uid === uid ? missed.atMs : nowMs;
        missedSince.set(key, { uid, atMs: sinceMs });
        if (sinceMs + quarantineMs > nowMs) return requeueAfter(`${sinceMs + quarantineMs - nowMs}ms`);
      }
      missedSince.delete(key);
      const isOver = pod.status?.phase === "Succeeded" || pod.status?.phase === "Failed";
      if (!isOver) {
        const target = {
          type: "DisruptionTarget",
          status: "True",
          reason: "DeletionByPodGC",
          message: "PodGC: node no longer exists",
          lastTransitionTime: formatTime(nowMs),
          observedGeneration,
        };
        const status = { phase: "Failed", ...(isUnplaced ? {} : { conditions: [target] }) };
        try {
          await patchStatus(Pod, where, { strategic: { metadata: { uid }, status } });
        } catch (error) {
          if (isNotFound(error)) return;
          throw error;
        }
      }
      await remove(Pod, where, { gracePeriodSeconds: 0, uid });
    },
  });
}
