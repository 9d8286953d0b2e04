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
  terminatingPodsHang,
  terminatingPodsStop,
  wait,
} from "../step.js";

const work = "jobs/work";

/** The controller syncs a Job at most once a second. */
const slow: ScenarioOptions = { quietMs: 1_500 };

/** Backoff after the first failed pod: 10 s. */
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

/** An indexed Job of this many pods with this successPolicy rule. */
function succeedingBy(count: number, rule: JsonObject): JsonObject {
  return indexed({ completions: count, parallelism: count, successPolicy: { rules: [rule] } });
}

/** The Job controller. */
export const jobArea = area("job", {
  "a Job runs up to parallelism pods until completions have succeeded": withOptions(slow, [
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
  "a Job of one pod completes with it, and a work-queue Job when a pod has succeeded and none runs": withOptions(slow, [
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
  "a Job fails after backoffLimit failures, with exponential backoff": withOptions(slow, [
    newPods("running"),
    create(job("work", { backoffLimit: 1 })),
    become(one("work"), "exit 3"),
    wait(backoff),
    become(one("work"), "oom"),
    patch(work, { spec: { suspend: true } }),
    create(job("strict", { completions: 3, parallelism: 3, backoffLimit: 0 })),
    become(one("strict"), "succeeded"),
    terminatingPodsHang,
    become(one("strict"), "exit 1"),
    terminatingPodsStop,
    remove("jobs/strict", { propagationPolicy: "Background" }),
  ]),
  "container restarts count towards backoffLimit, and activeDeadlineSeconds ends a Job": withOptions(slow, [
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
  "an indexed Job counts failures per index and fails above maxFailedIndexes": withOptions(slow, [
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
  "an indexed Job completes by its successPolicy": withOptions(slow, [
    newPods("running"),
    create(job("some", succeedingBy(3, { succeededIndexes: "0-1", succeededCount: 1 }))),
    become(one("some"), "succeeded"),
    create(job("leader", succeedingBy(3, { succeededIndexes: "0" }))),
    become({ ...running("leader"), newest: 1 }, "succeeded"),
    terminatingPodsHang,
    become(one("leader"), "succeeded"),
    terminatingPodsStop,
    create(job("count", succeedingBy(4, { succeededCount: 2 }))),
    become(one("count"), "succeeded"),
    become(one("count"), "succeeded"),
  ]),
  "podFailurePolicy fails a Job or an index by exit code and ignores disruptions": withOptions(slow, [
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
  "a suspended Job has no pods and restarts when it is resumed": withOptions(slow, [
    newPods("running"),
    create(job("work", { completions: 2, parallelism: 2, suspend: true, activeDeadlineSeconds: 600 })),
    patch(work, { spec: { template: { metadata: { labels: { queue: "a" } } } } }),
    patch(work, { spec: { suspend: false } }),
    become(one("work"), "succeeded"),
    terminatingPodsHang,
    patch(work, { spec: { suspend: true } }),
    terminatingPodsStop,
    patch(work, { spec: { suspend: false } }),
    become(running("work"), "succeeded"),
    patch(work, { spec: { suspend: true } }),
  ]),
  "podReplacementPolicy replaces deleted pods at once or only when failed": withOptions(slow, [
    create(job("work", {})),
    create(job("late", { podReplacementPolicy: "Failed" })),
    terminatingPodsHang,
    removePods("work"),
    wait(backoff),
    removePods("late"),
    terminatingPodsStop,
    wait(backoff),
    become({ of: "work", state: "ready", newest: 1 }, "succeeded"),
    become({ of: "late", state: "ready", newest: 1 }, "succeeded"),
  ]),
  "a Job counts active, ready and terminating pods, and pods keep their finalizer until counted": withOptions(slow, [
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
  "a Job with managedBy is ignored, and one with manualSelector adopts matching pods": withOptions(slow, [
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
