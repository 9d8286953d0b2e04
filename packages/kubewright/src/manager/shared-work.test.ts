import { startCluster } from "@kubewright/cluster";
import { FakeClock } from "@kubewright/core/clock";
import { expect, test } from "vitest";
import { ConfigMap, Secret } from "../../test/kinds.js";
import { createClient } from "../client/index.js";
import { Lease } from "../k8s/coordination/v1.gen.js";
import { createMetrics } from "../metrics/index.js";
import { controller } from "../reconcile/index.js";
import { operator } from "./index.js";

test("sharding: each object is reconciled by one replica, and by another when that replica stops", async () => {
  const clock = new FakeClock();
  await using cluster = await startCluster({ clock });
  const client = createClient(cluster.transport);
  const metrics = await createMetrics();
  const start = (replica: string) => {
    const copies = controller(Secret, {
      name: "copies",
      owns: [ConfigMap],
      reconcile: async ({ object, apply }) => {
        if (object.metadata.name === "bad") throw new Error("it is bad");
        await apply(ConfigMap, { metadata: { name: object.metadata.name }, data: { by: replica } });
      },
    });
    const sharding = { namespace: "default", identity: replica, shards: 8 };
    return operator({ name: "shared", controllers: [copies] }).start({ transport: cluster.transport, clock, sharding });
  };
  const pass = async (seconds: number): Promise<void> => {
    for (let second = 0; second < seconds; second++) {
      clock.advance(1_000);
      for (let turn = 0; turn < 40; turn++) await new Promise((resolve) => setImmediate(resolve));
    }
  };
  const workers = async (): Promise<Record<string, number>> => {
    const counts: Record<string, number> = {};
    for await (const { data } of client.list(ConfigMap)) {
      const by = data?.["by"];
      if (by !== undefined) counts[by] = (counts[by] ?? 0) + 1;
    }
    return counts;
  };
  for (let index = 0; index < 30; index++) await client.create(Secret, { metadata: { name: `secret-${index}` } });
  const one = await start("one");
  await pass(3);
  expect(await workers()).toEqual({ one: 30 });
  const two = await start("two");
  metrics.watchShards("shared", () => two.ownedShards);
  await client.create(Secret, { metadata: { name: "bad" } });
  await pass(8);
  const shared = await workers();
  expect(shared["two"]).toBeGreaterThan(5);
  expect([one.ownedShards, two.ownedShards]).toEqual([4, 4]);
  expect(await metrics.text()).toContain('kubewright_shards_owned{name="shared"} 4');
  expect(shared["one"]).toBeGreaterThan(5);
  // Only the shard's owner reconciles a later change.
  const before = [one.runs, two.runs];
  await client.patch(Secret, "secret-1", { merge: { data: { a: "Yg==" } } });
  await pass(1);
  expect(one.runs + two.runs - (before[0] ?? 0) - (before[1] ?? 0)).toBeLessThanOrEqual(2);
  expect([...one.failing(), ...two.failing()]).toHaveLength(1);

  const stopped = one.stop();
  await pass(1);
  await stopped;
  await pass(6);
  expect(await workers()).toEqual({ two: 30 });
  expect(two.failing().map(({ key }) => key)).toEqual(["default/bad"]);
  const members: string[] = [];
  for await (const { metadata } of client.list(Lease))
    if (metadata.name.includes("member")) members.push(metadata.name);
  expect(members).toHaveLength(1);
  metrics.close();
  await two.abandon(new Error("The test ends"));
  await expect(
    operator({ name: "both", controllers: [controller(Secret, { reconcile: () => {} })] }).start({
      transport: cluster.transport,
      sharding: true,
      leaderElection: true,
    }),
  ).rejects.toThrow("choose one of the two");
});
