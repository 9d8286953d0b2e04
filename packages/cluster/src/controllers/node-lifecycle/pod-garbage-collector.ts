import { formatTime } from "@kubewright/core/meta";
import { isNotFound, may, type RawController, rawController, watch } from "kubewright";
import { Node, Pod } from "kubewright/k8s/core/v1";

/** quarantineTime: how long a node must be missing before its Pods are deleted, because it may be about to register. */
const quarantineMs = 40_000;

/** PodGC: deletes Pods of missing nodes, and terminating Pods that were never scheduled. */
export function podGarbageCollector(): RawController {
  /** Since when the node of a Pod is missing, by the Pod's key. */
  const missingSince = new Map<string, { readonly uid: string; readonly atMs: number }>();
  return rawController({
    name: "pod-garbage-collector",
    fieldManager: "kube-controller-manager",
    uses: [may(Pod, "patchStatus", "delete")],
    watches: [
      watch(Pod, {
        reads: [Node],
        // Ignores Pods whose node exists.
        to: ({ metadata, spec }, cached) => {
          const { namespace = "", name } = metadata;
          const isKnown = missingSince.has(`${namespace}/${name}`);
          const node = spec?.nodeName;
          if (node === undefined) return isKnown || metadata.deletionTimestamp !== undefined ? metadata : undefined;
          return isKnown || cached.find(Node, { namespace: "", name: node }) === undefined ? metadata : undefined;
        },
        when: ({ old, new: now }) =>
          old?.spec?.nodeName !== now?.spec?.nodeName ||
          old?.metadata.deletionTimestamp !== now?.metadata.deletionTimestamp,
      }),
      watch(Node, {
        reads: [Pod],
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
      const isUnscheduled = nodeName === undefined && deletionTimestamp !== undefined;
      if (pod === undefined || (nodeName === undefined && !isUnscheduled)) return void missingSince.delete(key);
      if (nodeName !== undefined && (await find(Node, nodeName)) !== undefined) return void missingSince.delete(key);
      const nowMs = clock.now();
      if (!isUnscheduled) {
        const known = missingSince.get(key);
        const sinceMs = known?.uid === uid ? known.atMs : nowMs;
        missingSince.set(key, { uid, atMs: sinceMs });
        if (sinceMs + quarantineMs > nowMs) return requeueAfter(`${sinceMs + quarantineMs - nowMs}ms`);
      }
      missingSince.delete(key);
      const isTerminal = pod.status?.phase === "Succeeded" || pod.status?.phase === "Failed";
      if (!isTerminal) {
        const target = {
          type: "DisruptionTarget",
          status: "True",
          reason: "DeletionByPodGC",
          message: "PodGC: node no longer exists",
          lastTransitionTime: formatTime(nowMs),
          observedGeneration,
        };
        const status = { phase: "Failed" as const, ...(isUnscheduled ? {} : { conditions: [target] }) };
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
