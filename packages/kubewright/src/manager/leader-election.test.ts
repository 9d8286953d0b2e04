import { type Cluster, startCluster } from "@kubewright/cluster";
import { FakeClock } from "@kubewright/core/clock";
import type { Transport } from "@kubewright/core/transport";
import { afterEach, beforeEach, expect, test } from "vitest";
import { z } from "zod";
import { type Client, createClient } from "../client/index.js";
import { defineResource } from "../definition/index.js";
import { Lease } from "../k8s/coordination/v1.gen.js";
import { ConfigMap } from "../k8s/core/v1.gen.js";
import { controller } from "../reconcile/index.js";
import { type Operator, operator, type RunningOperator } from "./index.js";
import { leaderCheck } from "./leader-check.js";

const Note = defineResource({
  group: "example.com",
  kind: "Note",
  versions: { v1: { spec: z.object({ text: z.string() }), status: z.object({ seenBy: z.string().optional() }) } },
});

/** Additional work of a run, for one test. */
type Extra = (run: { readonly signal: AbortSignal }) => Promise<void>;

function noteOperator(replica: string, extra: Extra = async () => {}): Operator {
  const note = controller(Note, {
    owns: [ConfigMap],
    reconcile: async ({ object, apply, status, signal }) => {
      await extra({ signal });
      await apply(ConfigMap, { metadata: { name: object.metadata.name }, data: { text: object.spec.text, replica } });
      status.seenBy = replica;
    },
  });
  return operator({ name: "note-operator", controllers: [note] });
}

let clock: FakeClock;
let cluster: Cluster;
let client: Client;
const started: RunningOperator[] = [];
beforeEach(async () => {
  clock = new FakeClock();
  cluster = await startCluster({ clock });
  client = createClient(cluster.transport);
});
afterEach(async () => {
  await Promise.all(started.splice(0).map((running) => running.abandon(new Error("The test ends"))));
  await cluster.close();
});

async function start(made: Operator, identity: string, transport: Transport = cluster.transport) {
  const running = await made.start({
    transport,
    clock,
    installCRDs: true,
    leaderElection: { namespace: "kube-system", identity },
  });
  started.push(running);
  return running;
}

async function advance(ms: number): Promise<void> {
  const untilMs = clock.monotonic() + ms;
  for (;;) {
    for (let turn = 0; turn < 5 || !cluster.idle; turn++) await new Promise((resolve) => setImmediate(resolve));
    const nextMs = clock.nextTimerInMs ?? Number.POSITIVE_INFINITY;
    if (clock.monotonic() + nextMs > untilMs) break;
    clock.advance(nextMs);
  }
  clock.advance(untilMs - clock.monotonic());
}

const holder = async (): Promise<string | undefined> =>
  (await client.get(Lease, { namespace: "kube-system", name: "note-operator" })).spec.holderIdentity;

test("one of two replicas leads; the other waits with synced caches, and leads as soon as the first has stopped", async () => {
  const first = await start(noteOperator("a"), "a");
  await advance(0);
  await first.elected;
  const second = await start(noteOperator("b"), "b");
  let isElected = false;
  void second.elected.then(() => {
    isElected = true;
  });
  await client.create(Note, { metadata: { name: "one" }, spec: { text: "hello" } });
  await advance(60_000);
  expect([first.leading, second.leading, isElected]).toEqual([true, false, false]);
  expect([second.synced, second.runs, second.whyNotReady()]).toEqual([true, 0, undefined]);
  expect((await client.get(Note, "one")).status?.seenBy).toBe("a");

  await first.stop();
  expect(await holder()).toBe("");
  await advance(4_400);
  await second.elected;
  expect(second.runs).toBeGreaterThan(0);
  expect((await client.get(Note, "one")).status?.seenBy).toBe("b");
  expect(first.lost.aborted).toBe(false);
});

test("when the lease is lost, running reconciles are aborted and send no more writes", async () => {
  let reason: unknown;
  let began = false;
  const made = noteOperator("a", async ({ signal }) => {
    began = true;
    // A run that continues after its signal aborts.
    await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
    reason = signal.reason;
  });
  let cut = false;
  const writes: string[] = [];
  const transport: Transport = {
    ...cluster.transport,
    send: (request) => {
      if (request.path.includes("/leases/") && cut) return new Promise(() => {});
      if (cut && request.method !== "GET") writes.push(`${request.method} ${request.path}`);
      return cluster.transport.send(request);
    },
    stream: (request) => cluster.transport.stream(request),
    close: async () => {},
  };
  const running = await start(made, "a", transport);
  await advance(0);
  await client.create(Note, { metadata: { name: "one" }, spec: { text: "hello" } });
  await advance(1_000);
  expect([began, running.leading]).toEqual([true, true]);
  cut = true;
  await advance(15_000);
  expect(running.leading).toBe(false);
  expect(running.lost.reason).toMatchObject({
    code: "LEASE_LOST",
    message: expect.stringContaining("the lease is lost"),
  });
  expect(reason).toBe(running.lost.reason);
  expect(writes).toEqual([]);
  expect(await client.find(ConfigMap, "one")).toBeUndefined();
  expect((await client.get(Note, "one")).status).toBeUndefined();
  expect(() => leaderCheck(() => running)()).toThrow("the lease is lost");
});

test("the lease is released after the last run has finished, not before", async () => {
  let finish = (): void => {};
  const made = noteOperator("a", () => new Promise((resolve) => (finish = resolve)));
  const running = await start(made, "a");
  await advance(0);
  await client.create(Note, { metadata: { name: "one" }, spec: { text: "hello" } });
  await advance(0);
  const stopped = running.stop();
  await advance(29_000);
  expect([await holder(), running.leading]).toEqual(["a", true]);
  finish();
  await stopped;
  expect([await holder(), running.leading]).toEqual(["", false]);
});

test("a replica that stops before it is elected leaves the lease to its holder, and its elected promise rejects", async () => {
  await start(noteOperator("a"), "a");
  await advance(0);
  const second = await start(noteOperator("b"), "b");
  await advance(5_000);
  await second.stop();
  await expect(second.elected).rejects.toMatchObject({ code: "STOPPED" });
  expect(await holder()).toBe("a");
});

test("without leader election an operator is elected immediately and uses no lease", async () => {
  const running = await noteOperator("a").start({ transport: cluster.transport, clock, installCRDs: true });
  started.push(running);
  await running.elected;
  expect([running.leading, running.lost.aborted]).toEqual([true, false]);
  expect(await client.find(Lease, { namespace: "kube-system", name: "note-operator" })).toBeUndefined();
});

test("invalid leader election options are rejected before anything starts", async () => {
  const start = noteOperator("a").start({
    transport: cluster.transport,
    clock,
    leaderElection: { namespace: "x", leaseDuration: "1s" },
  });
  await expect(start).rejects.toMatchObject({ code: "CONFIG_INVALID" });
  expect(cluster.idle).toBe(true);
});

test("a controller with onEveryReplica does not wait for the lease", async () => {
  const seen: string[] = [];
  const table = (replica: string) =>
    controller(ConfigMap, { name: "table", onEveryReplica: true, reconcile: () => void seen.push(replica) });
  const made = (replica: string) =>
    operator({ name: "note-operator", controllers: [...noteOperator(replica).controllers, table(replica)] });
  const first = await start(made("a"), "a");
  await advance(1);
  await first.elected;
  const second = await start(made("b"), "b");
  await client.create(Note, { metadata: { name: "one" }, spec: { text: "hello" } });
  await advance(1);
  expect((await client.get(Note, "one")).status?.seenBy).toBe("a");
  expect(second.leading).toBe(false);
  expect(new Set(seen)).toEqual(new Set(["a", "b"]));
  await second.add(controller(Note, { name: "late", onEveryReplica: true, reconcile: () => void seen.push("late") }));
  await advance(1);
  expect(seen).toContain("late");
});
