import { type Controller, controller, select, untracked } from "kubewright";
import { CronJob, Job } from "kubewright/k8s/batch/v1";
import { byController, ownedBy } from "../ownership/index.js";
import { syncCronJob } from "./sync-cron-job.js";

/** Creates the Jobs of each CronJob on schedule. */
export function cronJobController(): Controller {
  return controller(CronJob, {
    name: "cronjob-controller",
    fieldManager: "kube-controller-manager",
    workers: 5,
    whileDeleting: true,
    owns: [Job],
    uses: [untracked(select(Job, { indexes: { controller: byController } }))],
    reconcile: async ({ object, find, list, create, event, status, clock, requeueAfter, ...context }) => {
      const jobs = await list(Job, { index: { controller: ownedBy(object.metadata.uid) } });
      const actions = {
        create: (job: Parameters<typeof create<typeof Job>>[1]) => create(Job, job),
        exists: async (name: string) => (await find(Job, name)) !== undefined,
        delete: (name: string) => context.delete(Job, name),
        event,
        nowMs: clock.now(),
      };
      const againMs = await syncCronJob(object, jobs, actions, status);
      return againMs === undefined ? undefined : requeueAfter(`${againMs}ms`);
    },
  });
}
