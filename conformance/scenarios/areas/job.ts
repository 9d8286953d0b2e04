import type { JsonObject } from "@kubewright/core/json";
import { job } from "../objects.js";
import { type Area, type ScenarioOptions, scenario } from "../scenario.js";
import { become, create, newPods, patch, patchPods, remove, removePods, stopsEnd, stopsHang, wait } from "../step.js";

const work = "jobs/work";
const running = { of: "work", state: "unready" } as const;
const one = { ...running, oldest: 1 } as const;

/** The controller looks at pods of a Job once a second. */
const slow: ScenarioOptions = { quietMs: 1_500 };

function indexed(spec: JsonObject): JsonObject {
  return { completionMode: "Indexed", ...spec };
}

/** What the job controller does. */
export const jobArea: Area = {
  name: "job",
  scenarios: [
    scenario(
      "a Job runs as many pods at once as it may, until enough have succeeded",
      slow,
      newPods("running"),
      create(job("work", { completions: 4, parallelism: 2 })),
      become(one, "succeeded"),
      become(running, "succeeded"),
      patch(work, { spec: { parallelism: 1 } }),
      become(running, "succeeded"),
      remove(work, { propagationPolicy: "Background" }),
    ),
    scenario(
      "a Job of one pod is done at once",
      slow,
      newPods("succeeded"),
      create(job("work")),
      patch(work, { spec: { parallelism: 3 } }),
      patch(work, { metadata: { labels: { seen: "yes" } } }),
      remove(work, { propagationPolicy: "Foreground" }),
    ),
    scenario(
      "a Job without a number of completions is done when one pod has succeeded and none runs",
      slow,
      newPods("running"),
      create(job("work", { parallelism: 3 })),
      become(one, "succeeded"),
      become(one, "exit 1"),
      become(running, "succeeded"),
    ),
    scenario(
      "a Job fails when its pods have failed too often, and waits longer each time",
      slow,
      newPods("running"),
      create(job("work", { backoffLimit: 1 })),
      become(one, "exit 3"),
      wait(11),
      become(one, "oom"),
      remove(work, { propagationPolicy: "Background" }),
    ),
    scenario(
      "a Job that allows no failure ends its other pods with the first that fails",
      slow,
      newPods("running"),
      create(job("work", { completions: 3, parallelism: 3, backoffLimit: 0 })),
      become(one, "succeeded"),
      stopsHang,
      become(one, "exit 1"),
      stopsEnd,
    ),
    scenario(
      "containers that are restarted in place count as failures of a Job",
      slow,
      newPods("running"),
      create(job("work", { backoffLimit: 0 }, { restartPolicy: "OnFailure" })),
      become("work", "crashing"),
    ),
    scenario(
      "an indexed Job runs each index until it has succeeded",
      slow,
      newPods("running"),
      create(job("work", indexed({ completions: 3, parallelism: 2 }))),
      become(one, "succeeded"),
      become(one, "exit 1"),
      wait(11),
      become(running, "succeeded"),
    ),
    scenario(
      "an indexed Job may be made smaller and larger",
      slow,
      newPods("running"),
      create(job("work", indexed({ completions: 3, parallelism: 3 }))),
      patch(work, { spec: { completions: 2, parallelism: 2 } }),
      patch(work, { spec: { completions: 4, parallelism: 4 } }),
      patch(work, { spec: { completions: 5, parallelism: 4 } }),
      become(running, "succeeded"),
    ),
    scenario(
      "an indexed Job counts failures by index",
      slow,
      newPods("running"),
      create(job("work", indexed({ completions: 3, parallelism: 3, backoffLimitPerIndex: 0, maxFailedIndexes: 2 }))),
      become(one, "exit 1"),
      become(one, "succeeded"),
      become(running, "exit 1"),
    ),
    scenario(
      "an indexed Job fails when too many of its indexes have",
      slow,
      newPods("running"),
      create(job("work", indexed({ completions: 4, parallelism: 4, backoffLimitPerIndex: 0, maxFailedIndexes: 1 }))),
      become(one, "exit 1"),
      become(one, "exit 1"),
    ),
    scenario(
      "an indexed Job has succeeded when the indexes of its policy have",
      slow,
      newPods("running"),
      create(
        job(
          "work",
          indexed({
            completions: 3,
            parallelism: 3,
            successPolicy: { rules: [{ succeededIndexes: "0-1", succeededCount: 1 }] },
          }),
        ),
      ),
      become(one, "succeeded"),
    ),
    scenario(
      "a failure policy ends a Job at an exit code, and ignores disruptions",
      slow,
      newPods("running"),
      create(
        job("work", {
          completions: 2,
          parallelism: 2,
          backoffLimit: 0,
          podFailurePolicy: {
            rules: [
              { action: "Ignore", onPodConditions: [{ type: "DisruptionTarget", status: "True" }] },
              { action: "FailJob", onExitCodes: { containerName: "app", operator: "In", values: [42] } },
              { action: "Count", onExitCodes: { operator: "In", values: [7] } },
            ],
          },
        }),
      ),
      become(one, "exit 42"),
    ),
    scenario(
      "a failure policy fails an index, and counts by rule",
      slow,
      newPods("running"),
      create(
        job(
          "work",
          indexed({
            completions: 2,
            parallelism: 2,
            backoffLimitPerIndex: 1,
            podFailurePolicy: { rules: [{ action: "FailIndex", onExitCodes: { operator: "In", values: [42] } }] },
          }),
        ),
      ),
      become(one, "exit 42"),
      become(one, "succeeded"),
    ),
    scenario(
      "a suspended Job has no pods, and begins anew when it is resumed",
      slow,
      newPods("running"),
      create(job("work", { completions: 2, parallelism: 2, suspend: true, activeDeadlineSeconds: 60 })),
      patch(work, { spec: { template: { metadata: { labels: { queue: "a" } } } } }),
      patch(work, { spec: { suspend: false } }),
      become(one, "succeeded"),
      patch(work, { spec: { suspend: true } }),
      patch(work, { spec: { suspend: false } }),
      become(running, "succeeded"),
    ),
    scenario(
      "a Job fails when its time is over",
      slow,
      newPods("running"),
      create(job("work", { activeDeadlineSeconds: 10, completions: 2 })),
      become(running, "succeeded"),
      wait(11),
    ),
    scenario(
      "a finished Job goes when its time to live is over",
      slow,
      newPods("running"),
      create(job("work", { ttlSecondsAfterFinished: 6 })),
      become(running, "succeeded"),
      wait(7),
    ),
    scenario(
      "a Job replaces pods that are deleted, at once or only when they have failed",
      slow,
      create(job("work", {})),
      create(job("late", { podReplacementPolicy: "Failed" })),
      stopsHang,
      removePods("work"),
      wait(12),
      removePods("late"),
      stopsEnd,
      wait(12),
      become({ of: "work", newest: 1 }, "succeeded"),
    ),
    scenario(
      "a Job is ready, active, terminating by its pods, and its pods keep their finalizer until they are counted",
      slow,
      create(job("work", { completions: 3, parallelism: 3 })),
      become({ of: "work", oldest: 1 }, "running"),
      become({ of: "work", oldest: 2 }, "succeeded"),
      patch(work, { spec: { parallelism: 0 } }),
      patch(work, { spec: { parallelism: 1 } }),
      become({ of: "work", state: "ready" }, "succeeded"),
    ),
    scenario(
      "a Job that others manage is left alone",
      slow,
      create(job("work", { managedBy: "example.com/other" })),
      patch(work, { spec: { suspend: true } }),
    ),
    scenario(
      "a Job with a selector of its own takes pods that fit, and leaves those of others",
      slow,
      newPods("running"),
      create({
        ...job("work"),
        spec: {
          manualSelector: true,
          selector: { matchLabels: { app: "work" } },
          template: {
            metadata: { labels: { app: "work" } },
            spec: { restartPolicy: "Never", containers: [{ name: "app", image: "app:1" }] },
          },
        },
      }),
      patchPods("work", { metadata: { labels: { app: "gone" } } }),
      become("work", "succeeded"),
      remove(work, { propagationPolicy: "Orphan" }),
    ),
  ],
};
