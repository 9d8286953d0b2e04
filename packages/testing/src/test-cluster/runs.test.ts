import { controller, defineResource, formatRun, operator, TerminalError, z } from "kubewright";
import { ConfigMap, Secret } from "kubewright/k8s/core/v1";
import { expect, test } from "vitest";
import { testCluster } from "./index.js";

const Site = defineResource({
  group: "example.com",
  kind: "Site",
  versions: {
    v1: {
      spec: z.object({ mode: z.string(), password: z.string().meta({ format: "password" }).optional() }),
      status: z.object({ mode: z.string().optional(), token: z.string().meta({ format: "password" }).optional() }),
      conditions: { Ready: ["Available", "Pending"] },
    },
  },
});

const site = controller(Site, {
  owns: [ConfigMap, Secret],
  finalize: () => {},
  reconcile: async ({ object, apply, status, conditions, requeueAfter }) => {
    const { name } = object.metadata;
    const { mode, password = "none" } = object.spec;
    if (mode === "broken") throw new Error("the mode is broken");
    if (mode === "impossible") throw new TerminalError("the mode is impossible");
    await apply(ConfigMap, { metadata: { name, labels: { mode } }, data: { mode } });
    await apply(Secret, { metadata: { name }, stringData: { password } });
    status.mode = mode;
    status.token = `token-of-${password}`;
    const ready = mode !== "slow";
    conditions.set("Ready", { status: ready, reason: ready ? "Available" : "Pending" });
    return mode === "slow" ? requeueAfter("5m") : undefined;
  },
});
const sites = operator({ name: "sites", controllers: [site] });

test("runs shows what the run logged", async () => {
  const logging = controller(Site, {
    reconcile: ({ object, log }) => {
      log.child({ step: 1 }).info({ mode: object.spec.mode }, "Mode read");
      log.debug({}, "Not written in tests without a logger");
    },
  });
  await using cluster = await testCluster(operator({ name: "logging", controllers: [logging] }));
  await cluster.create(Site, { metadata: { name: "shop" }, spec: { mode: "slow" } });
  await cluster.settle();
  const [run] = cluster.runs(Site, "shop");
  expect(run?.logs).toEqual([{ level: "info", message: "Mode read", fields: "step=1 mode=slow" }]);
  expect(run && formatRun(run)).toContain("\n          log    info Mode read step=1 mode=slow\n");
});

test("runs shows causes, writes as diffs, conditions, the outcome and the next try of each run", async () => {
  await using cluster = await testCluster(sites);
  await cluster.create(Site, { metadata: { name: "shop" }, spec: { mode: "slow" } });
  await cluster.settle();
  await cluster.patch(Site, "shop", { merge: { spec: { mode: "fast" } } });
  await cluster.settle();
  const runs = cluster.runs(Site, "shop");
  const [first, second] = [runs[0], runs.findLast(({ writes }) => writes.length > 0)];
  expect(first).toMatchObject({
    controller: "site",
    kind: "example.com/v1/Site",
    key: "default/shop",
    run: 1,
    verb: "reconcile",
    causes: [{ source: "for", change: "added", name: "shop" }],
    conditions: { Ready: { to: { status: "False", reason: "Pending" } } },
    outcome: { kind: "requeue", nextAfterMs: 300_000 },
  });
  expect(first?.writes.map(({ verb, kind, result }) => `${verb} ${kind} ${result}`)).toEqual([
    "add finalizer example.com/v1/Site changed",
    "apply /v1/ConfigMap created",
    "apply /v1/Secret created",
  ]);
  expect(first?.conditions.Ready?.from).toBeUndefined();
  expect(second).toMatchObject({
    causes: [{ source: "for", change: "updated", changedPaths: [".spec.mode"] }],
    status: [{ path: ".status.mode", change: "changed", before: "slow", after: "fast" }],
    conditions: { Ready: { from: { reason: "Pending" }, to: { status: "True", reason: "Available" } } },
    outcome: { kind: "done" },
  });
  expect(second?.writes).toEqual([
    {
      verb: "apply",
      kind: "/v1/ConfigMap",
      key: "default/shop",
      result: "changed",
      // The data of a ConfigMap may be confidential: its path only.
      changes: expect.arrayContaining([
        { path: ".data.mode", change: "changed" },
        { path: ".metadata.labels.mode", change: "changed", before: "slow", after: "fast" },
      ]),
    },
  ]);
  expect(cluster.runs(Site, "other")).toEqual([]);
});

test("values of Secrets and of fields with the format password never enter the runs", async () => {
  await using cluster = await testCluster(sites);
  await cluster.create(Site, { metadata: { name: "shop" }, spec: { mode: "fast", password: "hunter1" } });
  await cluster.settle();
  await cluster.patch(Site, "shop", { merge: { spec: { password: "hunter2" } } });
  await cluster.settle();
  const runs = cluster.runs(Site, "shop");
  const changes = runs.flatMap(({ writes, status }) => [...writes.flatMap((write) => write.changes), ...status]);
  expect(changes).toContainEqual({ path: ".data.password", change: "changed" });
  expect(changes).toContainEqual({ path: ".status.token", change: "changed" });
  const kept = JSON.stringify(runs);
  for (const value of ["hunter1", "hunter2", Buffer.from("hunter1").toString("base64").slice(0, 8)])
    expect(kept).not.toContain(value);
});

test("a failing object shows each failure, how often it failed and when it is retried", async () => {
  await using cluster = await testCluster(sites);
  await cluster.create(Site, { metadata: { name: "shop" }, spec: { mode: "broken" } });
  await cluster.settle({ allowFailing: true });
  const failed = cluster.runs(Site, "shop");
  expect(failed).toHaveLength(10);
  const last = failed.at(-1);
  expect(last?.outcome).toMatchObject({ kind: "retry", error: "the mode is broken", failures: last?.run });
  expect(last?.causes).toEqual([{ source: "retry", error: "the mode is broken" }]);
  expect(last?.outcome.nextAfterMs).toBeGreaterThan(failed.at(-2)?.outcome.nextAfterMs ?? 0);
  await cluster.patch(Site, "shop", { merge: { spec: { mode: "impossible" } } });
  await cluster.settle({ allowFailing: true });
  expect(cluster.runs(Site, "shop").at(-1)?.outcome).toEqual({ kind: "terminal", error: "the mode is impossible" });
});

test("formatRun prints a run as kubewright why does", async () => {
  await using cluster = await testCluster(sites);
  await cluster.create(Site, { metadata: { name: "shop" }, spec: { mode: "slow" } });
  await cluster.settle();
  await cluster.patch(Site, "shop", { merge: { spec: { mode: "fast" } } });
  await cluster.settle();
  const run = cluster.runs(Site, "shop").findLast(({ writes }) => writes.length > 0);
  if (run === undefined) throw new Error("no run wrote");
  const lines = formatRun(run).split("\n");
  expect(lines[0]).toMatch(/^\d\d:\d\d:\d\d {2}run \d+ {2}cause: Site default\/shop, changed \.spec\.mode$/);
  expect(lines.slice(1)).toEqual([
    "          apply  ConfigMap default/shop    ~ .metadata.labels.mode slow -> fast, ~ .data.mode",
    "          status Ready: False Pending -> True Available",
    "          status ~ .status.mode slow -> fast",
    expect.stringMatching(/^ {10}done in \d+ ms; next: on change$/),
  ]);
});

test("a finalizer's run is shown as finalize, and the deleted object's runs stay", async () => {
  await using cluster = await testCluster(sites);
  await cluster.create(Site, { metadata: { name: "shop" }, spec: { mode: "fast" } });
  await cluster.settle();
  await cluster.delete(Site, "shop");
  await cluster.settle();
  const last = cluster.runs(Site, "shop").at(-1);
  expect(last?.verb).toBe("finalize");
  expect(last?.writes.map(({ verb }) => verb)).toEqual(["remove finalizer"]);
});

test("runs names what was read, and the read that changed as the cause", async () => {
  const reading = controller(Site, {
    uses: [Secret],
    reconcile: async ({ object, find, list }) => {
      await find(Secret, `${object.metadata.name}-token`);
      await list(Secret, { labels: { app: "web" } });
    },
  });
  await using cluster = await testCluster(operator({ name: "reading", controllers: [reading] }));
  await cluster.create(Site, { metadata: { name: "shop" }, spec: { mode: "fast" } });
  await cluster.settle();
  await cluster.create(Secret, { metadata: { name: "shop-token" }, stringData: { token: "hunter1" } });
  await cluster.settle();
  await cluster.patch(Secret, "shop-token", { merge: { stringData: { token: "hunter2" } } });
  await cluster.settle();
  const last = cluster.runs(Site, "shop").at(-1);
  expect(last).toMatchObject({
    causes: [{ source: "reads", change: "updated", name: "shop-token", changedPaths: [".data.token"] }],
    reads: [
      { kind: "/v1/Secret", what: "default/shop-token" },
      { kind: "/v1/Secret", what: 'list in default, labels {"app":"web"}' },
    ],
  });
  if (last === undefined) throw new Error("no run");
  expect(formatRun(last)).toContain("cause: read Secret default/shop-token, changed .data.token");
});
