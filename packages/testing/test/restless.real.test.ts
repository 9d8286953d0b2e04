import { testCluster } from "@kubewright/testing";
import { controller, defineResource, may, operator, z } from "kubewright";
import { expect, test } from "vitest";

const Task = defineResource({
  group: "restless.example.com",
  kind: "Task",
  versions: { v1: { spec: z.object({}), status: z.object({ runs: z.int32().default(0) }) } },
});

test("settle rejects a controller that never rests, with its loop, on a real server too", async () => {
  const counting = controller(Task, {
    name: "counting",
    // A patch of the object is no write of the status draft, which would trigger no run.
    uses: [may(Task, "patchStatus")],
    reconcile: async ({ object, patchStatus }) => {
      await patchStatus(Task, object.metadata.name, { merge: { status: { runs: (object.status?.runs ?? 0) + 1 } } });
    },
  });
  const tasks = operator({ name: "tasks", controllers: [counting] });
  await using cluster = await testCluster(tasks, { on: "real", maxRuns: 50 });
  await cluster.create(Task, { metadata: { name: "one" }, spec: {} });
  const settled = cluster.settle();
  await expect(settled).rejects.toMatchObject({ code: "NOT_SETTLED" });
  await expect(settled).rejects.toThrow(/reconciled Task ".*\/one", the last time because of: .* at \.status\.runs/);
  await expect(settled).rejects.toThrow(/\d+ x PATCH .*\/tasks\/one\/status/);
}, 120_000);
