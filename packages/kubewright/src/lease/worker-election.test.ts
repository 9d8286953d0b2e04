import { type Cluster, startCluster } from "@kubewright/cluster";
import { FakeClock } from "@kubewright/core/clock";
import { silentLogger } from "@kubewright/core/log";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Client, createClient } from "../client/index.js";
import type { ReadOf } from "../definition/index.js";
import { Lease } from "../k8s/coordination/v1.gen.js";
import { type Connection, parseKubeconfig } from "../transport/index.js";
import { hrtimeClock } from "./hrtime-clock.js";
import { leaseSettings, WorkerElection } from "./index.js";
import { LeaseLoop } from "./lease-loop.js";
import { leaseTiming } from "./lease-timing.js";
import { SharedHold } from "./shared-hold.js";

let cluster: Cluster;
let client: Client;
let connection: Connection;
const started: WorkerElection[] = [];
beforeEach(async () => {
  cluster = await startCluster();
  client = createClient(cluster.transport);
  const { kubeconfig } = await cluster.listen();
  connection = await parseKubeconfig([{ file: "kubeconfig", text: kubeconfig }]);
});
afterEach(async () => {
  await Promise.all(started.splice(0).map((election) => election.abandon()));
  await cluster.close();
});

async function elect(identity: string, to: Connection = connection): Promise<WorkerElection> {
  const times = { leaseDuration: "10s", renewDeadline: "8s", retryPeriod: "50ms" } as const;
  const settings = await leaseSettings({ namespace: "default", identity, ...times }, "test");
  const election = new WorkerElection({ settings, connection: to, userAgent: "test", logger: silentLogger });
  started.push(election);
  election.start();
  return election;
}

/** Resolves at the next write of the lease that matches. */
async function leaseBecomes(fits: (lease: ReadOf<typeof Lease>) => boolean): Promise<void> {
  for await (const event of await client.watch(Lease, { namespace: "default" })) {
    if ((event.type === "ADDED" || event.type === "MODIFIED") && fits(event.object)) return;
  }
}

test("the renewal thread acquires, renews and releases the lease, and another candidate acquires it", async () => {
  const first = await elect("a");
  await first.leadership.acquired;
  expect(first.leadership.leading).toBe(true);
  const { spec } = await client.get(Lease, { namespace: "default", name: "test" });
  await leaseBecomes((lease) => lease.spec.renewTime !== spec.renewTime);
  const second = await elect("b");
  await first.release();
  expect(first.leadership.leading).toBe(false);
  expect(first.leadership.lost.aborted).toBe(false);
  await second.leadership.acquired;
  expect((await client.get(Lease, { namespace: "default", name: "test" })).spec.holderIdentity).toBe("b");
});

test("a renewal thread that fails loses the lease instead of waiting forever", async () => {
  const election = await elect("a", { ...connection, server: "not an address" });
  await expect(election.leadership.acquired).rejects.toMatchObject({
    code: "LEASE_LOST",
    message: expect.stringMatching(/the renewal thread failed: .*not an address/),
  });
  expect(election.leadership.lost.aborted).toBe(true);
});

test("an election that never started, or is abandoned while it waits, stops", async () => {
  const settings = await leaseSettings({ namespace: "default" }, "test");
  const idle = new WorkerElection({ settings, connection, userAgent: "test", logger: silentLogger });
  await idle.release();
  const first = await elect("a");
  await first.leadership.acquired;
  const second = await elect("b");
  await second.abandon();
  await expect(second.leadership.acquired).rejects.toMatchObject({ code: "STOPPED" });
  expect(first.leadership.leading).toBe(true);
});

test("a hold in shared memory is visible to every thread that has the memory, and stays closed", () => {
  const one = new SharedHold();
  const other = new SharedHold(one.memory);
  expect([other.deadlineMs, other.closed]).toEqual([undefined, false]);
  one.extend(1_234.5678);
  expect(other.deadlineMs).toBe(1_234.567);
  other.recordHeartbeat(77.5);
  expect(one.heartbeatMs).toBe(77.5);
  other.close();
  one.extend(9_999);
  expect([one.deadlineMs, one.closed]).toEqual([undefined, true]);
});

test("a main thread that blocks for too long loses the lease: the renewal thread stops renewing", async () => {
  const clock = new FakeClock();
  const hold = new SharedHold();
  let alive = true;
  let acquired = false;
  const loop = new LeaseLoop({
    client,
    clock,
    random: () => 0,
    name: "test",
    namespace: "default",
    identity: "a",
    timing: leaseTiming(),
    hold,
    logger: silentLogger,
    onAcquired: () => {
      acquired = true;
    },
    isAlive: () => alive,
  });
  const ended = loop.run(new AbortController().signal);
  const pass = async (seconds: number): Promise<void> => {
    for (let second = 0; second < seconds; second++) {
      for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
      clock.advance(1_000);
    }
  };
  await pass(20);
  expect([acquired, hold.closed]).toEqual([true, false]);
  alive = false;
  await pass(12);
  expect(await ended).toEqual({ kind: "lost", why: "the main thread was blocked for too long" });
  expect(hold.closed).toBe(true);
});

test("hrtimeClock is monotonic", () => {
  const first = hrtimeClock.monotonic();
  expect(hrtimeClock.monotonic()).toBeGreaterThanOrEqual(first);
});
