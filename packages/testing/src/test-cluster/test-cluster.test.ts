import {
  asDuration,
  controller,
  defineResource,
  every,
  generationChanged,
  hasLabels,
  operator,
  watch,
  z,
} from "kubewright";
import { ConfigMap } from "kubewright/k8s/core/v1";
import { expect, test } from "vitest";
import { testCluster } from "./index.js";

const Task = defineResource({
  group: "example.com",
  kind: "Task",
  versions: {
    v1: {
      spec: z.object({ wait: z.string().optional() }),
      status: z.object({ runs: z.int32().default(0) }),
      conditions: { Ready: ["Done", "Waiting"] },
    },
  },
});

/** An operator that records its runs outside the cluster, so that recording does not trigger a reconcile. */
function counting(options: Partial<Parameters<typeof controller<typeof Task>>[1]> = {}) {
  const runs: string[] = [];
  const task = controller(Task, {
    ...options,
    reconcile: ({ object, causes, requeueAfter, conditions }) => {
      runs.push(`${object.metadata.name} ${causes.map(({ source }) => source).join("+")}`);
      conditions.set("Ready", { status: true, reason: "Done" });
      return object.spec.wait === undefined ? undefined : requeueAfter(asDuration(object.spec.wait));
    },
  });
  return { runs, tasks: operator({ name: "tasks", controllers: [task] }) };
}

test("settle does not fire timers beyond the horizon, and advance does", async () => {
  const { runs, tasks } = counting({ when: generationChanged });
  await using cluster = await testCluster(tasks);
  await cluster.create(Task, { metadata: { name: "late" }, spec: { wait: "30s" } });
  await cluster.settle();
  expect(runs).toEqual(["late for"]);
  await cluster.advance("29s");
  expect(runs).toHaveLength(1);
  await cluster.advance("2s");
  expect(runs).toEqual(["late for", "late requeue"]);
});

test("settle fires timers within the `horizon` option", async () => {
  const { runs, tasks } = counting({ when: generationChanged });
  await using cluster = await testCluster(tasks, { horizon: "1m" });
  await cluster.create(Task, { metadata: { name: "soon" }, spec: { wait: "25s" } });
  await cluster.settle();
  expect(runs).toEqual(["soon for", "soon requeue", "soon requeue"]);
});

test("generationChanged filters status and label changes", async () => {
  const { runs, tasks } = counting({ when: generationChanged });
  await using cluster = await testCluster(tasks);
  await cluster.create(Task, { metadata: { name: "one" } });
  await cluster.settle();
  await cluster.patch(Task, "one", { merge: { metadata: { labels: { a: "b" } } } });
  await cluster.settle();
  expect(runs).toEqual(["one for"]);
  await cluster.patch(Task, "one", { merge: { spec: { wait: "1h" } } });
  await cluster.settle();
  expect(runs).toEqual(["one for", "one for"]);
});

test("a watch with a predicate triggers only for matching objects", async () => {
  const runs: string[] = [];
  const task = controller(Task, {
    when: generationChanged,
    watches: [watch(ConfigMap, { to: ({ data }) => data?.["task"], when: hasLabels({ watched: "yes" }) })],
    reconcile: ({ causes }) => void runs.push(causes.map(({ source }) => source).join("+")),
  });
  await using cluster = await testCluster(operator({ name: "tasks", controllers: [task] }));
  await cluster.create(Task, { metadata: { name: "one" } });
  await cluster.settle();
  await cluster.create(ConfigMap, { metadata: { name: "ignored" }, data: { task: "one" } });
  await cluster.settle();
  expect(runs).toEqual(["for"]);
  await cluster.create(ConfigMap, { metadata: { name: "seen", labels: { watched: "yes" } }, data: { task: "one" } });
  await cluster.settle();
  expect(runs).toEqual(["for", "watches"]);
});

test("every triggers a reconcile of each object once per period", async () => {
  const { runs, tasks } = counting({ when: generationChanged, sources: [every("1m")] });
  await using cluster = await testCluster(tasks);
  await cluster.create(Task, { metadata: { name: "one" } });
  await cluster.settle();
  await cluster.advance("3m");
  expect(runs).toEqual(["one for", "one every", "one every", "one every"]);
});

test("conditions are returned by type, with observedGeneration", async () => {
  const { tasks } = counting();
  await using cluster = await testCluster(tasks);
  await cluster.create(Task, { metadata: { name: "one" } });
  await cluster.settle();
  const { Ready } = await cluster.conditions(Task, "one");
  expect(Ready).toMatchObject({ status: "True", reason: "Done", observedGeneration: 1 });
});

test("changes while the operator is stopped are reconciled when it starts again", async () => {
  const { runs, tasks } = counting({ when: generationChanged });
  await using cluster = await testCluster(tasks);
  await cluster.stopOperator();
  await cluster.create(Task, { metadata: { name: "meanwhile" } });
  await cluster.settle();
  expect(runs).toEqual([]);
  await cluster.startOperator();
  await cluster.settle();
  expect(runs).toEqual(["meanwhile for"]);
});

test("settle names a reconcile that does not return", async () => {
  const stuck = controller(Task, {
    name: "stuck",
    reconcile: ({ signal }) => new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve())),
  });
  await using cluster = await testCluster(operator({ name: "tasks", controllers: [stuck] }), { settleTimeout: "50ms" });
  await cluster.create(Task, { metadata: { name: "one" } });
  await expect(cluster.settle()).rejects.toMatchObject({
    code: "NOT_SETTLED",
    message: expect.stringContaining(`controller "stuck" reconciles "default/one"`),
  });
});
