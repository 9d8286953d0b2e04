import { expect, test } from "vitest";
import type { EtcdConnection } from "../members/etcd-members.js";
import { EtcdCluster } from "../resources/etcd-cluster.js";
import { type EtcdTestCluster, etcdTestCluster } from "../testing/etcd-test-cluster.js";

const options = { signal: new AbortController().signal };
const quota = 16_777_216;

async function full(spec: object): Promise<EtcdTestCluster> {
  const world = await etcdTestCluster();
  await world.create("shop", { size: 3, quotaBackendBytes: quota, ...spec });
  await world.converge("shop");
  const client = world.client("shop");
  await world.etcd.put(client, "key", "kept", options);
  await world.etcd.fill(client, { dbSize: quota, dbSizeInUse: quota });
  await expect(world.etcd.put(client, "key", "rejected", options)).rejects.toMatchObject({ reason: "noSpace" });
  return world;
}

test("a database that reached its quota is compacted and defragmented, and takes writes again", async () => {
  await using world = await full({});
  await world.cluster.advance("3m");
  expect(await world.etcd.alarms(world.client("shop"), options)).toEqual([]);
  await world.etcd.put(world.client("shop"), "key", "accepted", options);
  expect((await world.cluster.conditions(EtcdCluster, "shop")).QuotaExceeded).toBeUndefined();
});

test("with onQuotaExceeded: Report the alarm stays, and a condition says so", async () => {
  await using world = await full({ onQuotaExceeded: "Report" });
  await world.cluster.advance("10m");
  expect(await world.etcd.alarms(world.client("shop"), options)).not.toEqual([]);
  expect((await world.cluster.conditions(EtcdCluster, "shop")).QuotaExceeded?.reason).toBe("WritesRejected");
});

async function sizes(world: EtcdTestCluster): Promise<readonly number[]> {
  const urls = (await world.members("shop")).map(
    (name): EtcdConnection => ({ url: `http://${name}.shop.default.svc:2379` }),
  );
  return Promise.all(urls.map(async (url) => (await world.etcd.status(url, options)).dbSize));
}

test("members whose database is large and mostly free are defragmented", async () => {
  await using world = await etcdTestCluster();
  await world.create("shop", { size: 3, defragmentation: { minBytes: 1_000_000 } });
  await world.converge("shop");
  await world.etcd.fill(world.client("shop"), { dbSize: 2_000_000, dbSizeInUse: 1_500_000 });
  await world.cluster.advance("3m");
  expect(await sizes(world)).toEqual([2_000_000, 2_000_000, 2_000_000]);
  await world.etcd.fill(world.client("shop"), { dbSize: 2_000_000, dbSizeInUse: 900_000 });
  await world.cluster.advance("3m");
  expect(await sizes(world)).toEqual([900_000, 900_000, 900_000]);
  expect((await world.cluster.conditions(EtcdCluster, "shop")).Defragmenting).toBeUndefined();
});

test("a member that finds its data corrupt is replaced", async () => {
  await using world = await etcdTestCluster();
  await world.create("shop", { size: 3 });
  await world.converge("shop");
  const [corrupt = "", ...rest] = await world.members("shop");
  await world.etcd.raise({ url: `http://${corrupt}.shop.default.svc:2379` }, "CORRUPT");
  await world.cluster.advance("3m");
  await world.converge("shop");
  const members = await world.members("shop");
  expect(members).toHaveLength(3);
  expect(members).toEqual(expect.arrayContaining(rest));
  expect(members).not.toContain(corrupt);
});
