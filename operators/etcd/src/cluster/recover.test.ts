import { PersistentVolumeClaim, Pod } from "kubewright/k8s/core/v1";
import { expect, test } from "vitest";
import { EtcdCluster } from "../resources/etcd-cluster.js";
import { type EtcdTestCluster, etcdTestCluster } from "../testing/etcd-test-cluster.js";

const signal = new AbortController().signal;

async function started(spec: object = { size: 3 }): Promise<EtcdTestCluster> {
  const world = await etcdTestCluster();
  await world.create("shop", spec);
  await world.converge("shop");
  await world.etcd.put(world.client("shop"), "key", "kept", { signal });
  return world;
}

async function loseData({ cluster }: EtcdTestCluster, ...names: readonly string[]): Promise<void> {
  for (const name of names) {
    await cluster.delete(Pod, name);
    await cluster.delete(PersistentVolumeClaim, name);
  }
}

test("a cluster all of whose Pods have died comes back with its volumes, and loses nothing", async () => {
  await using world = await started();
  const { cluster } = world;
  const members = await world.members("shop");
  for (const name of members) await cluster.delete(Pod, name);
  await world.converge("shop");
  expect(await world.members("shop")).toEqual(members);
  expect(await world.etcd.get(world.client("shop"), "key", { signal })).toBe("kept");
  const { status } = await cluster.get(EtcdCluster, "shop");
  expect(status?.recoveries).toBeUndefined();
  expect((await cluster.conditions(EtcdCluster, "shop")).DataLost).toBeUndefined();
});

test("a cluster that lost the data of a majority goes on with the newest surviving volume, and says what may be lost", async () => {
  await using world = await started();
  const { cluster } = world;
  const [kept = "", ...lost] = await world.members("shop");
  await loseData(world, ...lost);
  await world.converge("shop");
  const members = await world.members("shop");
  expect(members).toHaveLength(3);
  expect(members).toContain(kept);
  expect(members.filter((name) => lost.includes(name))).toEqual([]);
  expect(await world.etcd.get(world.client("shop"), "key", { signal })).toBe("kept");
  const { DataLost, Available } = await cluster.conditions(EtcdCluster, "shop");
  expect(Available?.status).toBe("True");
  expect(DataLost).toMatchObject({ status: "True", reason: "ForcedNewCluster" });
  for (const name of lost) expect(DataLost?.message).toContain(name);
  expect(DataLost?.message).toContain(`member ${kept} at revision 2`);
  const commands = (await world.pods("shop")).flatMap(({ spec }) => spec?.containers[0]?.command ?? []);
  expect(commands).not.toContain("--force-new-cluster=true");
  expect(await world.volumes("shop")).toHaveLength(3);
  expect(world.etcd.violations).toEqual([]);
});

test("the survivor with the newest log is chosen", async () => {
  await using world = await started({ size: 5 });
  const { cluster } = world;
  const [stale = "", newest = "", ...lost] = await world.members("shop");
  await world.patch("shop", { paused: true });
  await cluster.delete(Pod, stale);
  await cluster.settle();
  await world.etcd.put(world.client("shop"), "key", "newer", { signal });
  await loseData(world, ...lost);
  await world.patch("shop", { paused: false });
  await world.converge("shop");
  expect(await world.etcd.get(world.client("shop"), "key", { signal })).toBe("newer");
  expect(await world.members("shop")).toContain(newest);
  expect(await world.members("shop")).not.toContain(stale);
});

test("nothing is forced while enough data exists for a quorum, however long its Pods do not run", async () => {
  await using world = await started();
  const { cluster } = world;
  const members = await world.members("shop");
  await world.patch("shop", { pod: { nodeSelector: { zone: "none" } } });
  for (const name of members.slice(1)) await cluster.delete(Pod, name);
  await cluster.advance("20m");
  const { Recovering, Available, DataLost } = await cluster.conditions(EtcdCluster, "shop");
  expect(Available).toMatchObject({ status: "False", reason: "QuorumLost" });
  expect(Recovering?.reason).toBe("WaitingForMembers");
  for (const name of members.slice(1)) expect(Recovering?.message).toContain(name);
  expect(DataLost).toBeUndefined();
  // The user gives up the data of one member: two of three are gone for good.
  await world.patch("shop", { pod: { nodeSelector: null } });
  for (const name of members.slice(1)) await loseData(world, name);
  await world.converge("shop");
  expect(await world.etcd.get(world.client("shop"), "key", { signal })).toBe("kept");
});

test("a cluster of which nothing is left starts empty only if its annotation accepts that", async () => {
  await using world = await started();
  const { cluster } = world;
  await loseData(world, ...(await world.members("shop")));
  await cluster.advance("10m");
  expect(await world.pods("shop")).toEqual([]);
  const { Available, Recovering } = await cluster.conditions(EtcdCluster, "shop");
  expect(Available).toMatchObject({ status: "False", reason: "NoMembers" });
  expect(Recovering).toMatchObject({ reason: "NoDataLeft", message: expect.stringContaining("accept-data-loss=1") });

  await cluster.patch(EtcdCluster, "shop", {
    merge: { metadata: { annotations: { "etcd.database.coreos.com/accept-data-loss": "1" } } },
  });
  await world.converge("shop");
  expect(await world.members("shop")).toHaveLength(3);
  expect(await world.etcd.get(world.client("shop"), "key", { signal })).toBeUndefined();
  expect((await cluster.conditions(EtcdCluster, "shop")).DataLost?.reason).toBe("StartedEmpty");

  // The annotation is about that loss, not about the next one.
  await loseData(world, ...(await world.members("shop")));
  await cluster.advance("10m");
  expect((await cluster.conditions(EtcdCluster, "shop")).Recovering?.message).toContain("accept-data-loss=2");
});

test("a cluster whose only quorum was in Pods without volumes reports that it cannot recover by itself", async () => {
  await using world = await started({ size: 3, storage: { ephemeral: true } });
  const { cluster } = world;
  const [kept = "", ...lost] = await world.members("shop");
  for (const name of lost) await cluster.delete(Pod, name);
  await cluster.advance("10m");
  expect((await world.pods("shop")).map(({ metadata }) => metadata.name)).toEqual([kept]);
  expect((await cluster.conditions(EtcdCluster, "shop")).Recovering).toMatchObject({
    reason: "NoDataLeft",
    message: expect.stringContaining(kept),
  });
});
