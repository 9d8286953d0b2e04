import { type AnyController, controller, defineResource, may, operator, rawController, z } from "kubewright";
import { ConfigMap } from "kubewright/k8s/core/v1";
import { expect, test } from "vitest";
import { type TestCluster, type TestClusterOptions, testCluster } from "./index.js";

const Task = defineResource({
  group: "example.com",
  kind: "Task",
  versions: { v1: { spec: z.object({}), status: z.object({ runs: z.int32().default(0) }) } },
});

/** Counts its runs by a patch of the object, which is no write of the status draft: each run triggers the next one. */
const counting = controller(Task, {
  name: "counting",
  uses: [may(Task, "patchStatus")],
  reconcile: async ({ object, patchStatus }) => {
    await patchStatus(Task, object.metadata.name, { merge: { status: { runs: (object.status?.runs ?? 0) + 1 } } });
  },
});

async function withTask(controllers: AnyController[], options: TestClusterOptions = {}): Promise<TestCluster> {
  const cluster = await testCluster(operator({ name: "tasks", controllers }), options);
  await cluster.create(Task, { metadata: { name: "one" }, spec: {} });
  return cluster;
}

async function messageOf(settled: Promise<void>): Promise<string> {
  const error: unknown = await settled.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toMatchObject({ code: "NOT_SETTLED" });
  return error instanceof Error ? error.message : "";
}

test("settle rejects with the objects, causes and writes of a controller that triggers itself", async () => {
  await using cluster = await withTask([counting]);
  const message = (await messageOf(cluster.settle())).replaceAll(/\d{4}/g, "N");
  expect(message.split("\n")).toEqual([
    "Cannot settle: a controller never rests, an object was reconciled more than N times while the clock advanced by 0 s",
    "Runs:",
    '  N x controller "counting" reconciled Task "default/one", the last time because of: Task "default/one" was updated at .status.runs',
    "Writes of the operator:",
    "  N x PATCH /apis/example.com/v1/namespaces/default/tasks/one/status",
    "What to change:",
    expect.stringContaining("`when: generationChanged`"),
  ]);
});

test("a timer fires although a controller never rests", async () => {
  await using cluster = await withTask([counting], { maxRuns: Number.POSITIVE_INFINITY });
  const timeout = new Promise<string>((resolve) => setTimeout(resolve, 10, "timed out"));
  expect(await Promise.race([timeout, cluster.settle()])).toBe("timed out");
  await cluster.stopOperator();
});

test("settle names both controllers that overwrite each other's value", async () => {
  const title = (name: string) =>
    controller(Task, {
      name,
      owns: [ConfigMap],
      reconcile: async ({ object, apply }) => {
        await apply(ConfigMap, { metadata: { name: object.metadata.name }, data: { title: name } });
      },
    });
  await using cluster = await withTask([title("a"), title("b")], { maxRuns: 200 });
  const message = await messageOf(cluster.settle());
  for (const name of ["a", "b"]) expect(message).toContain(`controller "${name}" reconciled Task "default/one"`);
  expect(message).toContain('because of: ConfigMap "default/one" was updated at .data.title');
  expect(message).toContain("leave fields alone that another controller sets");
});

test("settle and advance reject a requeueAfter with a very short delay", async () => {
  const polling = controller(Task, { name: "polling", reconcile: ({ requeueAfter }) => requeueAfter("1ms") });
  await using cluster = await withTask([polling]);
  for (const settle of [() => cluster.settle(), () => cluster.advance("1h")]) {
    const message = await messageOf(settle());
    expect(message).toMatch(/more than 1000 times while the clock advanced by 1\.?\d* s/);
    expect(message).toContain('because of: "requeue"');
    expect(message).toContain("The operator wrote nothing.");
    expect(message).toContain("return a longer time");
  }
});

test("settle names a key of a raw controller that never rests", async () => {
  const raw = rawController({
    name: "raw",
    keys: ["all"],
    reconcile: ({ requeueAfter }) => requeueAfter("1ms"),
  });
  await using cluster = await withTask([controller(Task, { name: "idle", reconcile: () => {} }), raw]);
  expect(await messageOf(cluster.settle())).toContain('controller "raw" reconciled "all"');
});

test("a settle that times out lists the runs and writes until then", async () => {
  await using cluster = await withTask([counting], { maxRuns: Number.POSITIVE_INFINITY, settleTimeout: "20ms" });
  const message = await messageOf(cluster.settle());
  expect(message).toMatch(/^Cannot settle within 0.02 s of real time: /);
  expect(message).toContain('controller "counting" reconciled Task "default/one"');
});

test("advance does not limit the runs of a long time", async () => {
  const polling = controller(Task, { name: "polling", reconcile: ({ requeueAfter }) => requeueAfter("5s") });
  await using cluster = await withTask([polling], { maxRuns: 5 });
  await cluster.advance("10m");
  expect(cluster.running?.runs).toBeGreaterThan(100);
});
