import { controllerOf } from "@kubewright/core/meta";
import { isNotFound, may, type RawController, rawController, watch } from "kubewright";
import { Job } from "kubewright/k8s/batch/v1";
import { Pod } from "kubewright/k8s/core/v1";
import { ownedBy } from "../ownership/index.js";
import { type PodView, podsByController } from "../pod/index.js";
import { isJobFinished, isManagedByOther, isTracked, type JobView } from "./job-pods.js";
import { removeTrackingFinalizer } from "./remove-tracking-finalizer.js";

/** Removes the tracking finalizer of orphan Pods: those without a Job, and those of finished Jobs. Calls `forget` with the uid of each such Job. */
export function orphanPods(forget: (uid: string) => void): RawController {
  return rawController({
    name: "job-pod-release",
    fieldManager: "kube-controller-manager",
    workers: 5,
    uses: [podsByController, may(Pod, "patch")],
    watches: [
      watch(Pod, {
        reads: [Job],
        to: (pod, cached) => {
          if (!isTracked(pod)) return undefined;
          const { namespace = "", name } = pod.metadata;
          const owner = controllerOf(pod);
          const job = owner && cached.find(Job, { namespace, name: owner.name });
          return isOrphan(pod, job) ? `pod/${namespace}/${name}` : undefined;
        },
      }),
      watch(Job, {
        to: ({ metadata }) => `of/${metadata.uid}`,
        when: ({ kind, new: now }) => kind === "deleted" || (now !== undefined && isJobFinished(now)),
      }),
    ],
    reconcile: async ({ key, find, list, patch }) => {
      const [what, one = "", name = ""] = key.split("/");
      if (what === "of") forget(one);
      const pod = what === "pod" ? await find(Pod, { namespace: one, name }) : undefined;
      const pods = what === "of" ? await list(Pod, { index: { controller: ownedBy(one) } }) : pod ? [pod] : [];
      for (const each of pods) {
        if (!isTracked(each)) continue;
        const where = { namespace: each.metadata.namespace ?? "", name: each.metadata.name };
        const owner = controllerOf(each);
        const job = owner && (await find(Job, { namespace: where.namespace, name: owner.name }));
        if (!isOrphan(each, job)) continue;
        try {
          await patch(Pod, where, removeTrackingFinalizer);
        } catch (error) {
          if (!isNotFound(error)) throw error;
        }
      }
    },
  });
}

/** Whether no Job will count the Pod. `job` is the Job with the name of its owner. */
function isOrphan(pod: PodView, job: JobView | undefined): boolean {
  const owner = controllerOf(pod);
  if (owner === undefined) return true;
  if (owner.kind !== "Job" || owner.apiVersion !== "batch/v1") return false;
  if (job === undefined || job.metadata.uid !== owner.uid) return true;
  return isJobFinished(job) && !isManagedByOther(job);
}
