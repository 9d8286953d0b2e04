import { expect, test } from "vitest";
import { z } from "zod";
import { runController } from "../../test/running-controller.js";
import { crdOf, defineResource } from "../definition/index.js";
import { type Controller, controller, TerminalError } from "../reconcile/index.js";

const Job = defineResource({
  group: "example.com",
  kind: "Job",
  versions: {
    v1: {
      kstatus: true,
      spec: z.object({ mode: z.enum(["done", "requeue", "fail", "terminal", "ready", "broken ready"]) }),
      conditions: { Ready: ["Available"], Synced: ["Yes"] },
    },
  },
});

const reconcile: Parameters<typeof controller<typeof Job>>[1]["reconcile"] = ({ object, conditions, requeueAfter }) => {
  const { mode } = object.spec;
  if (mode.endsWith("ready")) conditions.set("Ready", { status: true, reason: "Available" });
  if (mode === "fail" || mode === "broken ready") throw new Error("no token");
  if (mode === "terminal") throw new TerminalError("no such image");
  return mode === "requeue" || mode === "ready" ? requeueAfter("1h") : undefined;
};

async function run(job: Controller = controller(Job, { backoff: { first: "1h", max: "1h" }, reconcile })) {
  const running = await runController(job, { install: [Job] });
  const show = async () => {
    await running.settle();
    const { status, metadata } = await running.client.get(Job, "a");
    const conditions = (status?.conditions ?? []).map(
      ({ type, status: state, reason, message }) => `${type}=${state} ${reason}${message && `: ${message}`}`,
    );
    return { conditions: conditions.sort(), observed: status?.observedGeneration === metadata.generation };
  };
  const set = async (mode: string) => {
    await running.client.patch(Job, "a", { merge: { spec: { mode: mode as "done" } } });
    return show();
  };
  const begin = async (mode: "done" | "fail") => {
    await running.client.create(Job, { metadata: { name: "a" }, spec: { mode } });
    return show();
  };
  return { running, begin, set, show, [Symbol.asyncDispose]: () => running[Symbol.asyncDispose]() };
}

test("Ready, Reconciling and Stalled follow from the outcome of a run that does not set Ready", async () => {
  await using job = await run();
  expect(await job.begin("done")).toEqual({ conditions: ["Ready=True Reconciled"], observed: true });
  expect(await job.set("fail")).toEqual({
    conditions: ["Ready=False ReconcileFailed: no token", "Reconciling=True Retrying: no token"],
    observed: false,
  });
  expect(await job.set("terminal")).toEqual({
    conditions: ["Ready=False ReconcileFailed: no such image", "Stalled=True TerminalError: no such image"],
    // kstatus takes an object whose generation is not observed for one in progress, not for a failed one.
    observed: true,
  });
  expect(await job.set("requeue")).toEqual({
    conditions: ["Ready=False Requeued", "Reconciling=True Requeued"],
    observed: true,
  });
  expect(await job.set("done")).toEqual({ conditions: ["Ready=True Reconciled"], observed: true });
});

test("a Ready that the run has set stays, also when it throws later, and a requeue of a ready object is no progress", async () => {
  await using job = await run();
  await job.begin("done");
  expect((await job.set("ready")).conditions).toEqual(["Ready=True Available"]);
  expect((await job.set("broken ready")).conditions).toEqual([
    "Ready=True Available",
    "Reconciling=True Retrying: no token",
  ]);
  // Set by an earlier run: it is not the framework's.
  expect((await job.set("done")).conditions).toEqual(["Ready=True Available"]);
});

test("a run that fails in the same way again writes nothing", async () => {
  await using job = await run(controller(Job, { backoff: { first: "1s", max: "1s" }, reconcile }));
  await job.begin("fail");
  const { resourceVersion } = (await job.running.client.get(Job, "a")).metadata;
  for (let second = 0; second < 5; second++) await job.running.advance(1_000);
  expect((await job.running.client.get(Job, "a")).metadata.resourceVersion).toBe(resourceVersion);
});

test("a failed finalize shows Reconciling or Stalled, and leaves Ready as it is", async () => {
  await using job = await run(
    controller(Job, { reconcile, finalize: () => Promise.reject(new TerminalError("in use")) }),
  );
  await job.begin("done");
  await job.running.client.delete(Job, "a");
  expect((await job.show()).conditions).toEqual(["Ready=True Reconciled", "Stalled=True TerminalError: in use"]);
});

test("kstatus adds the conditions to the definition, and rejects one that declares them itself", () => {
  const { conditions } = Job.definition.versions["v1"] ?? {};
  expect(conditions).toEqual({
    Ready: ["Available", "Reconciled", "Requeued", "ReconcileFailed"],
    Reconciling: ["Requeued", "Retrying"],
    Stalled: ["TerminalError"],
    Synced: ["Yes"],
  });
  const bare = defineResource({ group: "example.com", kind: "Bare", versions: { v1: { kstatus: true } } });
  expect(JSON.stringify(crdOf(bare))).toContain('"observedGeneration"');
  const declared = { v1: { kstatus: true, conditions: { Stalled: ["Mine"] } } } as const;
  expect(() => defineResource({ group: "example.com", kind: "Bad", versions: declared })).toThrow(
    'declares the condition "Stalled", which the framework keeps',
  );
});

test("the types have the conditions of kstatus without a declaration, and no others", () => {
  controller(Job, {
    reconcile: ({ conditions }) => {
      conditions.get("Stalled");
      conditions.set("Ready", { status: false, reason: "ReconcileFailed" });
      conditions.set("Reconciling", { status: true, reason: "Requeued" });
      // @ts-expect-error not a reason of kstatus
      conditions.set("Stalled", { status: true, reason: "Whatever" });
      // @ts-expect-error not declared
      conditions.get("Other");
    },
  });
  const bare = defineResource({ group: "example.com", kind: "Bare", versions: { v1: { kstatus: true } } });
  controller(bare, { reconcile: ({ conditions }) => void conditions.get("Ready") });
  const without = defineResource({ group: "example.com", kind: "None", versions: { v1: { spec: z.object({}) } } });
  // @ts-expect-error no conditions
  controller(without, { reconcile: ({ conditions }) => void conditions.get("Ready") });
});
