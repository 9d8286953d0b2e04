import { controller, defineResource, operator, TerminalError, z } from "kubewright";
import { expect, test } from "vitest";
import { testCluster } from "./index.js";

const Task = defineResource({
  group: "example.com",
  kind: "Task",
  versions: { v1: { spec: z.object({ fails: z.enum(["no", "always", "terminally", "twice"]).default("no") }) } },
});

let runs = 0;
const tasks = operator({
  name: "tasks",
  controllers: [
    controller(Task, {
      reconcile: ({ object: { spec, metadata } }) => {
        runs++;
        if (spec.fails === "terminally") throw new TerminalError(`${metadata.name} cannot work`);
        if (spec.fails === "always" || (spec.fails === "twice" && runs < 3))
          throw new Error(`${metadata.name} is broken`);
      },
    }),
  ],
});

test("settle rejects while an object fails, with controller, key, failures, message and the error as cause", async () => {
  await using cluster = await testCluster(tasks);
  await cluster.create(Task, { metadata: { name: "one" }, spec: { fails: "always" } });
  const error = await cluster.settle().catch((reason: unknown) => reason);
  expect(error).toMatchObject({ code: "NOT_SETTLED", cause: { message: "one is broken" } });
  expect(String(error)).toMatch(/controller "task" failed \d\d times in a row for "[^"]*one": one is broken/);
  await cluster.settle({ allowFailing: true });
  await expect(cluster.advance("1s")).rejects.toMatchObject({ code: "NOT_SETTLED" });
  await cluster.advance("1s", { allowFailing: true });
  await cluster.patch(Task, "one", { merge: { spec: { fails: "no" } } });
  await cluster.settle();
});

test("settle rejects with the errors of all failing objects, terminal ones included", async () => {
  await using cluster = await testCluster(tasks);
  for (const name of ["a", "b", "c", "d", "e", "f"])
    await cluster.create(Task, { metadata: { name }, spec: { fails: "terminally" } });
  const error = await cluster.settle().catch((reason: unknown) => reason);
  expect(String(error)).toContain("6 objects fail");
  expect(String(error)).toMatch(/controller "task" failed once for "[^"]*a": a cannot work/);
  expect(String(error)).toContain("and 1 more");
  expect((error as { cause: AggregateError }).cause.errors).toHaveLength(6);
});

test("settle resolves when the retries of a failed run succeed within the horizon", async () => {
  await using cluster = await testCluster(tasks);
  runs = 0;
  await cluster.create(Task, { metadata: { name: "one" }, spec: { fails: "twice" } });
  await cluster.settle();
  expect(runs).toBe(3);
});
