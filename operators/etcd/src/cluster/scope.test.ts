import { PermissionLog, testCluster } from "@kubewright/testing";
import { PersistentVolumeClaim, Pod } from "kubewright/k8s/core/v1";
import { expect, test } from "vitest";
import { createEtcdOperator } from "../create-etcd-operator.js";
import { EtcdCluster } from "../resources/etcd-cluster.js";
import { nodesOf, SimulatedEtcd } from "../simulation/simulated-etcd.js";
import { etcdTestCluster } from "../testing/etcd-test-cluster.js";

test.each([true, false])(
  "an operator works on the clusters of its scope only (clusterWide: %s)",
  async (clusterWide) => {
    const etcd = new SimulatedEtcd();
    await using cluster = await testCluster(createEtcdOperator({ etcd, clusterWide }), { on: "embedded" });
    etcd.connect(nodesOf(cluster), () => cluster.clock.now());
    const annotations = { "etcd.database.coreos.com/scope": "clusterwide" };
    await cluster.create(EtcdCluster, { metadata: { name: "wide", annotations }, spec: { size: 1 } });
    await cluster.create(EtcdCluster, { metadata: { name: "own" }, spec: { size: 1 } });
    await cluster.advance("30s");
    const names: (string | undefined)[] = [];
    for await (const { metadata } of cluster.list(Pod)) names.push(metadata.labels?.["etcd_cluster"]);
    expect(names).toEqual([clusterWide ? "wide" : "own"]);
  },
);

test("the operator uses only the permissions of its role", async () => {
  const permissions = new PermissionLog();
  await using world = await etcdTestCluster({ permissions });
  await world.create("shop", { size: 2, version: "3.5.21" });
  await world.converge("shop");
  await world.patch("shop", { size: 3, version: "3.5.22" });
  await world.converge("shop");
  const [name = ""] = await world.members("shop");
  await world.cluster.delete(Pod, name);
  await world.cluster.delete(PersistentVolumeClaim, name);
  await world.converge("shop");
  expect(permissions.compare(world.operator.rules()).undeclared).toEqual([]);
});
