import type { JsonObject } from "@kubewright/core/json";
import { job, pod, template } from "../objects.js";
import { area, type ScenarioOptions, withOptions } from "../scenario.js";
import {
  apply,
  become,
  create,
  evict,
  newPods,
  patch,
  patchPods,
  remove,
  removePods,
  stopsEnd,
  stopsHang,
  wait,
} from "../step.js";

const work = "jobs/work";

/** The controller looks at pods of a Job once a second. */
const slow: ScenarioOptions = { quietMs: 1_500 };

/** After the first failure it waits 10 seconds before it makes another pod. */
const backoff = 11;

function running(of: string) {
  return { of, state: "unready" } as const;
}

function one(of: string) {
  return { ...running(of), oldest: 1 } as const;
}

function indexed(spec: JsonObject): JsonObject {
  return { completionMode: "Indexed", ...spec };
}

/** An indexed Job of so many pods that succeeds by this rule. */
function succeedingBy(count: number, rule: JsonObject): JsonObject {
  return indexed({ completions: count, parallelism: count, successPolicy: { rules: [rule] } });
}

/** What the job controller does. */
export const jobArea = area("job", {
  "a Job runs as many pods at once as it may, until enough have succeeded": withOptions(slow, [
    newPods("running"),
    create(job("work", { completions: 4, parallelism: 2 })),
    become(one("work"), "succeeded"),
    become(running("work"), "succeeded"),
    patch(work, { spec: { parallelism: 1 } }),
    become(running("work"), "succeeded"),
    patch(work, { metadata: { labels: { seen: "yes" } } }),
    removePods({ of: "work", oldest: 1 }),
    remove(work, { propagationPolicy: "Background" }),
    create(job("work", { parallelism: 0 })),
    patch(work, { spec: { parallelism: 2 } }),
  ]),
  "a Job of one pod is done with it, and one without a number of completions when a pod has succeeded and none runs":
    withOptions(slow, [
      newPods("succeeded", "quick"),
      newPods("running"),
      create(job("quick")),
      patch("jobs/quick", { spec: { parallelism: 3 } }),
      remove("jobs/quick", { propagationPolicy: "Foreground" }),
      create(job("work", { parallelism: 3 })),
      become(one("work"), "succeeded"),
      become(one("work"), "exit 1"),
      become(running("work"), "succeeded"),
      remove(work, { propagationPolicy: "Orphan" }),
    ]),
  "a Job fails when its pods have failed too often, and waits longer each time": withOptions(slow, [
    newPods("running"),
    create(job("work", { backoffLimit: 1 })),
    become(one("work"), "exit 3"),
    wait(backoff),
    become(one("work"), "oom"),
    patch(work, { spec: { suspend: true } }),
    create(job("strict", { completions: 3, parallelism: 3, backoffLimit: 0 })),
    become(one("strict"), "succeeded"),
    stopsHang,
    become(one("strict"), "exit 1"),
    stopsEnd,
    remove("jobs/strict", { propagationPolicy: "Background" }),
  ]),
  "containers that are restarted in place count as failures of a Job, and time can be over": withOptions(slow, [
    newPods("running"),
    create(job("restart", { backoffLimit: 0 }, { restartPolicy: "OnFailure" })),
    become("restart", "crashing"),
    create(job("work", { activeDeadlineSeconds: 25, completions: 2 })),
    become(one("work"), "succeeded"),
    wait(26),
    create(job("short", { ttlSecondsAfterFinished: 15 })),
    become(one("short"), "succeeded"),
    wait(16),
    patch(work, { spec: { ttlSecondsAfterFinished: 0 } }),
  ]),
  "an indexed Job runs each index until it has succeeded": withOptions(slow, [
    newPods("running"),
    create(job("work", indexed({ completions: 3, parallelism: 2 }))),
    become(one("work"), "succeeded"),
    become(one("work"), "exit 1"),
    wait(backoff),
    become(running("work"), "succeeded"),
    create(job("more", indexed({ completions: 3, parallelism: 3 }))),
    patch("jobs/more", { spec: { completions: 2, parallelism: 2 } }),
    patch("jobs/more", { spec: { completions: 4, parallelism: 4 } }),
    patch("jobs/more", { spec: { completions: 5, parallelism: 4 } }),
    become(running("more"), "succeeded"),
  ]),
  "an indexed Job counts failures by index, and fails when too many have": withOptions(slow, [
    newPods("running"),
    create(job("work", indexed({ completions: 3, parallelism: 3, backoffLimitPerIndex: 0, maxFailedIndexes: 2 }))),
    become(one("work"), "exit 1"),
    become(one("work"), "succeeded"),
    become(running("work"), "exit 1"),
    create(job("few", indexed({ completions: 4, parallelism: 4, backoffLimitPerIndex: 0, maxFailedIndexes: 1 }))),
    become(one("few"), "exit 1"),
    become(one("few"), "exit 1"),
    create(job("again", indexed({ completions: 1, backoffLimitPerIndex: 1 }))),
    become(one("again"), "exit 1"),
    wait(backoff),
    become(one("again"), "exit 1"),
  ]),
  "an indexed Job has succeeded when the indexes of its policy have": withOptions(slow, [
    newPods("running"),
    create(job("some", succeedingBy(3, { succeededIndexes: "0-1", succeededCount: 1 }))),
    become(one("some"), "succeeded"),
    create(job("leader", succeedingBy(3, { succeededIndexes: "0" }))),
    become({ ...running("leader"), newest: 1 }, "succeeded"),
    stopsHang,
    become(one("leader"), "succeeded"),
    stopsEnd,
    create(job("count", succeedingBy(4, { succeededCount: 2 }))),
    become(one("count"), "succeeded"),
    become(one("count"), "succeeded"),
  ]),
  "failure policies end a Job or an index at an exit code, and ignore disruptions": withOptions(slow, [
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
    evict({ of: "work", oldest: 1 }),
    wait(backoff),
    become({ of: "work", state: "ready", oldest: 1 }, "exit 42"),
    newPods("running"),
    create(
      job(
        "index",
        indexed({
          completions: 2,
          parallelism: 2,
          backoffLimitPerIndex: 1,
          podFailurePolicy: { rules: [{ action: "FailIndex", onExitCodes: { operator: "In", values: [42] } }] },
        }),
      ),
    ),
    become(one("index"), "exit 42"),
    become(one("index"), "succeeded"),
    create(
      job("counted", {
        backoffLimit: 0,
        podFailurePolicy: { rules: [{ action: "Count", onExitCodes: { operator: "NotIn", values: [1] } }] },
      }),
    ),
    become(one("counted"), "exit 7"),
  ]),
  "a suspended Job has no pods, and begins anew when it is resumed": withOptions(slow, [
    newPods("running"),
    create(job("work", { completions: 2, parallelism: 2, suspend: true, activeDeadlineSeconds: 600 })),
    patch(work, { spec: { template: { metadata: { labels: { queue: "a" } } } } }),
    patch(work, { spec: { suspend: false } }),
    become(one("work"), "succeeded"),
    stopsHang,
    patch(work, { spec: { suspend: true } }),
    stopsEnd,
    patch(work, { spec: { suspend: false } }),
    become(running("work"), "succeeded"),
    patch(work, { spec: { suspend: true } }),
  ]),
  "a Job replaces pods that are deleted, at once or only when they have failed": withOptions(slow, [
    create(job("work", {})),
    create(job("late", { podReplacementPolicy: "Failed" })),
    stopsHang,
    removePods("work"),
    wait(backoff),
    removePods("late"),
    stopsEnd,
    wait(backoff),
    become({ of: "work", state: "ready", newest: 1 }, "succeeded"),
    become({ of: "late", state: "ready", newest: 1 }, "succeeded"),
  ]),
  "a Job is ready, active, terminating by its pods, and its pods keep their finalizer until they are counted":
    withOptions(slow, [
      create(job("work", { completions: 3, parallelism: 3 })),
      become({ of: "work", oldest: 1 }, "running"),
      become({ of: "work", oldest: 2 }, "succeeded"),
      patch(work, { spec: { parallelism: 0 } }),
      patch(work, { spec: { parallelism: 1 } }),
      become({ of: "work", state: "ready" }, "succeeded"),
      newPods("pulling"),
      create(job("stuck", { completions: 1 })),
      become("stuck", "ready"),
      remove("jobs/stuck", { propagationPolicy: "Foreground" }),
    ]),
  "a Job that others manage is left alone, and one with a selector of its own takes pods that fit": withOptions(slow, [
    newPods("running"),
    create(job("managed", { managedBy: "example.com/other" })),
    patch("jobs/managed", { spec: { suspend: true } }),
    create(pod("loose", { restartPolicy: "Never" }, { labels: { app: "work" } })),
    create({
      ...job("work"),
      spec: {
        manualSelector: true,
        selector: { matchLabels: { app: "work" } },
        template: template("work", { spec: { restartPolicy: "Never" } }),
      },
    }),
    patchPods("loose", { metadata: { labels: { app: "gone" } } }),
    become("work", "succeeded"),
    apply({ apiVersion: "batch/v1", kind: "Job", metadata: { name: "work", labels: { seen: "yes" } } }),
    remove(work, { propagationPolicy: "Orphan" }),
    remove("jobs/managed"),
  ]),
});
