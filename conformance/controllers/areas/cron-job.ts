import type { JsonObject } from "@kubewright/core/json";
import { template } from "../objects.js";
import { area, withOptions } from "../scenario.js";
import { become, create, newPods, nextMinute, patch, remove, together } from "../step.js";

const slow = { quietMs: 1_500 };

function cronJob(name: string, spec: JsonObject = {}): JsonObject {
  const jobTemplate = {
    metadata: { labels: { app: name } },
    spec: { template: template(name, { spec: { restartPolicy: "Never" } }) },
  };
  return {
    apiVersion: "batch/v1",
    kind: "CronJob",
    metadata: { name },
    spec: { schedule: "* * * * *", jobTemplate, ...spec },
  };
}

/** The CronJob controller. Minutes are real on a real control plane: a scenario has two or three. */
export const cronJobArea = area("cron-job", {
  "concurrencyPolicy allows, replaces or forbids a Job while another runs": withOptions(slow, [
    nextMinute,
    newPods("running"),
    together(
      create(cronJob("allow")),
      create(cronJob("forbid", { concurrencyPolicy: "Forbid" })),
      create(cronJob("replace", { concurrencyPolicy: "Replace" })),
    ),
    nextMinute,
    nextMinute,
    become("forbid", "succeeded"),
    become({ of: "allow", oldest: 1 }, "succeeded"),
    nextMinute,
    remove("cronjobs/allow"),
    remove("cronjobs/replace", { propagationPolicy: "Orphan" }),
  ]),
  "a CronJob keeps finished Jobs up to its history limits": withOptions(slow, [
    nextMinute,
    newPods("succeeded"),
    together(
      create(cronJob("tidy", { successfulJobsHistoryLimit: 1 })),
      create(cronJob("none", { successfulJobsHistoryLimit: 2 })),
      create(cronJob("never", { schedule: "0 0 30 2 *" })),
      create(cronJob("odd", { schedule: "*/2 * * * *", timeZone: "Europe/Berlin", suspend: true })),
    ),
    nextMinute,
    nextMinute,
    patch("cronjobs/tidy", { spec: { suspend: true } }),
    patch("cronjobs/none", { spec: { schedule: "0 0 1 1 *" } }),
    nextMinute,
    patch("cronjobs/tidy", { spec: { suspend: false } }),
    remove("cronjobs/tidy"),
  ]),
  "a suspended CronJob creates no Job, and Jobs follow its template": withOptions(slow, [
    nextMinute,
    together(
      create(cronJob("asleep", { suspend: true })),
      create(
        cronJob("awake", {
          startingDeadlineSeconds: 30,
          jobTemplate: {
            metadata: { labels: { a: "b" }, annotations: { c: "d" } },
            spec: {
              backoffLimit: 2,
              completions: 2,
              parallelism: 2,
              template: template("awake", { spec: { restartPolicy: "OnFailure" } }),
            },
          },
        }),
      ),
    ),
    nextMinute,
    patch("cronjobs/awake", { spec: { suspend: true } }),
    become("awake", "succeeded"),
    remove("cronjobs/awake", { propagationPolicy: "Foreground" }),
    create(cronJob("odd", { timeZone: "Not/AZone" })),
    create(cronJob("zone", { timeZone: "Asia/Tokyo", schedule: "0 0 1 1 *" })),
    patch("cronjobs/asleep", { spec: { schedule: "0 0 1 1 *", suspend: false } }),
    remove("cronjobs/zone"),
  ]),
});
