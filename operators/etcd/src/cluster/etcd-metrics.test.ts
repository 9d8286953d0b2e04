import type { Gauge } from "prom-client";
import { expect, test } from "vitest";
import { EtcdCluster } from "../resources/etcd-cluster.js";
import { etcdTestCluster } from "../testing/etcd-test-cluster.js";

test("the metrics count clusters that are created, changed, failed and deleted", async () => {
  await using world = await etcdTestCluster();
  const { cluster, etcd, operator } = world;
  const value = async (name: string): Promise<number | undefined> => {
    const metric = operator.metrics.find((one) => "name" in one && one.name === name) as Gauge | undefined;
    return (await metric?.get())?.values[0]?.value;
  };
  await world.create("shop", { size: 1 });
  await world.create("other", { size: 1 });
  await world.converge("shop");
  await world.patch("shop", { size: 2 });
  await world.converge("shop");
  const { id } = await etcd.addLearner(world.client("shop"), "http://10.0.0.1:2380", {
    signal: new AbortController().signal,
  });
  await cluster.advance("2m");
  expect((await cluster.get(EtcdCluster, "shop")).status).toMatchObject({
    phase: "Failed",
    reason: expect.stringContaining("http://10.0.0.1:2380"),
  });
  await etcd.remove(world.client("shop"), id, { signal: new AbortController().signal });
  await cluster.advance("2m");
  expect((await cluster.get(EtcdCluster, "shop")).status?.phase).toBe("Running");
  await cluster.delete(EtcdCluster, "other");
  await cluster.settle();
  expect(await value("etcd_operator_controller_clusters")).toBe(1);
  expect(await value("etcd_operator_controller_clusters_created")).toBe(2);
  expect(await value("etcd_operator_controller_clusters_deleted")).toBe(1);
  expect(await value("etcd_operator_controller_clusters_modified")).toBeGreaterThanOrEqual(1);
  expect(await value("etcd_operator_controller_clusters_failed")).toBe(1);
});
