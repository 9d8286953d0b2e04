import { deepEqual } from "@kubewright/core/json";
import { formatTime } from "@kubewright/core/meta";
import { isNotFound, may, type RawController, type ReadOf, rawController, watch } from "kubewright";
import { Node, Pod } from "kubewright/k8s/core/v1";
import { tolerates } from "../../scheduler/index.js";
import type { ReadTaint } from "./node-taints.js";

type ReadPod = ReadOf<typeof Pod>;

/** The taint eviction controller: deletes Pods that do not tolerate a NoExecute taint, immediately or after tolerationSeconds. */
export function taintEvictionController(): RawController {
  /** When the eviction of a Pod was scheduled, by its key. */
  const since = new Map<string, { readonly uid: string; readonly atMs: number }>();
  return rawController({
    name: "taint-eviction-controller",
    fieldManager: "kube-controller-manager",
    uses: [may(Pod, "patchStatus", "delete")],
    watches: [
      watch(Pod, {
        reads: [Node],
        // Ignores Pods on nodes without NoExecute taints. The node's watch event reports a new taint.
        to: ({ metadata, spec }, cached) => {
          const { namespace = "", name } = metadata;
          if (since.has(`${namespace}/${name}`)) return metadata;
          if (spec?.nodeName === undefined) return undefined;
          const node = cached.find(Node, { namespace: "", name: spec.nodeName });
          return noExecute(node?.spec?.taints).length > 0 ? metadata : undefined;
        },
        when: ({ old, new: now }) =>
          old?.spec?.nodeName !== now?.spec?.nodeName || old?.metadata.generation !== now?.metadata.generation,
      }),
      watch(Node, {
        reads: [Pod],
        to: ({ metadata }, cached) =>
          cached.list(Pod).flatMap((pod) => (pod.spec?.nodeName === metadata.name ? [pod.metadata] : [])),
        when: ({ old, new: now }) => !deepEqual(noExecute(old?.spec?.taints), noExecute(now?.spec?.taints)),
      }),
    ],
    reconcile: async ({ key, find, patchStatus, delete: remove, event, requeueAfter, clock }) => {
      const [namespace = "", name = ""] = key.split("/");
      const where = { namespace, name };
      const pod = await find(Pod, where);
      const node = pod?.spec?.nodeName === undefined ? undefined : await find(Node, pod.spec.nodeName);
      const scheduled = since.get(key);
      const { uid, deletionTimestamp } = pod?.metadata ?? {};
      const toleratedMs =
        pod === undefined ? Number.POSITIVE_INFINITY : toleratedMsOf(pod, noExecute(node?.spec?.taints));
      if (
        pod === undefined ||
        uid === undefined ||
        deletionTimestamp !== undefined ||
        toleratedMs === Number.POSITIVE_INFINITY
      ) {
        since.delete(key);
        if (pod !== undefined && deletionTimestamp === undefined && scheduled?.uid === uid)
          event(Pod, pod, "Normal", "TaintManagerEviction", `Cancelling deletion of Pod ${key}`);
        return;
      }
      const nowMs = clock.now();
      const startedMs = scheduled?.uid === uid ? scheduled.atMs : nowMs;
      since.set(key, { uid, atMs: startedMs });
      const dueMs = startedMs + toleratedMs;
      if (dueMs > nowMs) return requeueAfter(`${dueMs - nowMs}ms`);
      since.delete(key);
      event(Pod, pod, "Normal", "TaintManagerEviction", `Marking for deletion Pod ${key}`);
      const condition = {
        type: "DisruptionTarget",
        status: "True",
        reason: "DeletionByTaintManager",
        message: "Taint manager: deleting due to NoExecute taint",
        observedGeneration: pod.metadata.generation,
        lastTransitionTime: formatTime(nowMs),
      };
      try {
        await patchStatus(Pod, where, { strategic: { metadata: { uid }, status: { conditions: [condition] } } });
      } catch (error) {
        if (isNotFound(error)) return;
        throw error;
      }
      await remove(Pod, where, { uid });
    },
  });
}

function noExecute(taints: readonly ReadTaint[] | undefined): readonly ReadTaint[] {
  return (taints ?? []).filter(({ effect }) => effect === "NoExecute");
}

/** How long a Pod tolerates these taints: 0 if it does not tolerate one, Infinity if it tolerates all without tolerationSeconds. */
function toleratedMsOf(pod: ReadPod, taints: readonly ReadTaint[]): number {
  let shortestMs = Number.POSITIVE_INFINITY;
  for (const taint of taints) {
    const tolerations = (pod.spec?.tolerations ?? []).filter((toleration) => tolerates([toleration], taint));
    if (tolerations.length === 0) return 0;
    for (const { tolerationSeconds } of tolerations)
      if (tolerationSeconds !== undefined)
        shortestMs = Math.min(shortestMs, Math.max(0, Number(tolerationSeconds)) * 1_000);
  }
  return shortestMs;
}
