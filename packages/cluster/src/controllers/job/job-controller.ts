import { controllerOf } from "@kubewright/core/meta";
import { type AnyController, type Controller, controller, isNotFound, watch } from "kubewright";
import { Job } from "kubewright/k8s/batch/v1";
import { Pod } from "kubewright/k8s/core/v1";
import { ownedBy, selectorOf, unownedIn } from "../ownership/index.js";
import { podsByController } from "../pod/index.js";
import { isJobFinished, isManagedByOther, trackingFinalizer } from "./job-pods.js";
import { orphanPods } from "./orphan-pods.js";
import { type BackoffRecord, noFailures } from "./pod-backoff.js";
import { removeTrackingFinalizer } from "./remove-tracking-finalizer.js";
import { syncJob } from "./sync-job.js";

/** The Job controller, and the controller that removes the finalizers of orphan Pods. */
export function jobControllers(): readonly AnyController[] {
  /** By uid, until the Job finishes. */
  const records = new Map<string, BackoffRecord>();
  return [jobController(records), orphanPods((uid) => records.delete(uid))];
}

function jobController(records: Map<string, BackoffRecord>): Controller {
  return controller(Job, {
    name: "job-controller",
    fieldManager: "kube-controller-manager",
    workers: 5,
    whileDeleting: true,
    backoff: { first: "1s", max: "1m" },
    owns: [Pod],
    uses: [podsByController],
    watches: [
      watch(Pod, {
        reads: [Job],
        to: (pod, cached) =>
          controllerOf(pod) === undefined
            ? cached
                .list(Job, { namespace: pod.metadata.namespace ?? "" })
                .filter(({ spec }) => selectorOf(spec?.selector).matches(pod.metadata.labels))
                .map(({ metadata }) => metadata.name)
            : undefined,
      }),
    ],
    reconcile: async ({ object, list, create, patch, event, status, clock, requeueAfter, ...context }) => {
      const { uid, namespace = "" } = object.metadata;
      if (isManagedByOther(object) || isJobFinished(object)) return;
      const removeFinalizer = async (name: string): Promise<void> => {
        try {
          await patch(Pod, name, removeTrackingFinalizer);
        } catch (error) {
          if (!isNotFound(error)) throw error;
        }
      };
      const againMs = await syncJob(
        object,
        records.get(uid) ?? noFailures,
        {
          pods: async () => [
            ...(await list(Pod, { index: { controller: ownedBy(uid) } })),
            ...(await list(Pod, { index: { controller: unownedIn(namespace) } })),
          ],
          create: (pod) => create(Pod, pod),
          delete: (name) => context.delete(Pod, name),
          adopt: async (name) => {
            await context.adopt(Pod, name);
            return patch(Pod, name, { strategic: { metadata: { finalizers: [trackingFinalizer] } } });
          },
          release: async (name) => {
            await removeFinalizer(name);
            await context.release(Pod, name);
          },
          removeFinalizer,
          save: () => context.saveStatus(),
          remember: (record) => {
            if (record.failures > 0) records.set(uid, record);
            else records.delete(uid);
          },
          event,
          nowMs: clock.now(),
        },
        status,
      );
      return againMs === undefined ? undefined : requeueAfter(`${againMs}ms`);
    },
  });
}
