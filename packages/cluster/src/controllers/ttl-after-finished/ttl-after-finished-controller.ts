import { may, type RawController, rawController, watch } from "kubewright";
import { Job } from "kubewright/k8s/batch/v1";
import { isJobFinished, jobFinishedAtMs } from "../job/index.js";

/** Deletes finished Jobs and their Pods after ttlSecondsAfterFinished. */
export function ttlAfterFinishedController(): RawController {
  return rawController({
    name: "ttl-after-finished-controller",
    fieldManager: "kube-controller-manager",
    workers: 5,
    uses: [may(Job, "delete")],
    watches: [
      watch(Job, {
        to: (job) => (job.spec?.ttlSecondsAfterFinished !== undefined && isJobFinished(job) ? job.metadata : undefined),
      }),
    ],
    reconcile: async ({ key, find, clock, requeueAfter, ...context }) => {
      const [namespace = "", name = ""] = key.split("/");
      const job = await find(Job, { namespace, name });
      const seconds = job?.spec?.ttlSecondsAfterFinished;
      const finishedAtMs = job && jobFinishedAtMs(job);
      if (job === undefined || seconds === undefined || finishedAtMs === undefined) return;
      if (job.metadata.deletionTimestamp !== undefined) return;
      const leftMs = finishedAtMs + seconds * 1_000 - clock.now();
      if (leftMs > 0) return requeueAfter(`${leftMs}ms`);
      await context.delete(Job, { namespace, name }, { propagationPolicy: "Foreground", uid: job.metadata.uid });
    },
  });
}
