import { PersistentVolumeClaim, Pod, Service } from "kubewright/k8s/core/v1";
import { Event } from "kubewright/k8s/events/v1";
import { StorageClass } from "kubewright/k8s/storage/v1";
import { expect, test } from "vitest";
import { EtcdCluster } from "../resources/etcd-cluster.js";
import { etcdTestCluster } from "../testing/etcd-test-cluster.js";

const signal = new AbortController().signal;

test("an EtcdCluster of size 1 becomes a ready Pod labelled app=etcd, with a volume and two Services", async () => {
  await using world = await etcdTestCluster();
  const { cluster, etcd } = world;
  await world.create("shop", { size: 1, version: "3.2.13" });
  await world.converge("shop");

  const [pod] = await world.pods("shop");
  const { name = "" } = pod?.metadata ?? {};
  expect(name).toMatch(/^shop-[a-z0-9]{10}$/);
  expect(pod?.metadata.labels).toMatchObject({ app: "etcd", etcd_cluster: "shop", etcd_node: name });
  expect(pod?.metadata.annotations?.["etcd.version"]).toBe("3.2.13");
  expect(pod?.spec).toMatchObject({
    restartPolicy: "Never",
    hostname: name,
    subdomain: "shop",
    automountServiceAccountToken: false,
    initContainers: [{ image: "busybox:1.28.0-glibc" }],
    containers: [
      {
        image: "quay.io/coreos/etcd:v3.2.13",
        livenessProbe: { initialDelaySeconds: 10, periodSeconds: 60, failureThreshold: 3 },
        readinessProbe: { initialDelaySeconds: 1, periodSeconds: 5, failureThreshold: 3 },
      },
    ],
  });
  expect(pod?.spec?.volumes?.find((volume) => volume.name === "etcd-data")?.persistentVolumeClaim?.claimName).toBe(
    name,
  );
  expect((await cluster.get(PersistentVolumeClaim, name)).status?.phase).toBe("Bound");
  expect((await cluster.get(Service, "shop")).spec).toMatchObject({
    clusterIP: "None",
    publishNotReadyAddresses: true,
  });
  expect((await cluster.get(Service, "shop-client")).spec?.ports).toMatchObject([{ port: 2379 }]);
  expect((await cluster.get(EtcdCluster, "shop")).status).toMatchObject({
    phase: "Running",
    size: 1,
    serviceName: "shop-client",
    clientPort: 2379,
    members: { ready: [name] },
    currentVersion: "3.2.13",
    serverVersion: "3.5.21",
  });
  expect(await cluster.conditions(EtcdCluster, "shop")).toMatchObject({ Available: { status: "True" } });
  expect(await etcd.put(world.client("shop"), "a", "1", { signal })).toBe(2n);
});

test("a cluster grows one learner at a time, each of which gets a vote before the next one joins", async () => {
  await using world = await etcdTestCluster();
  await world.create("shop", { size: 1 });
  await world.converge("shop");
  await world.patch("shop", { size: 3 });
  const seen = new Set<string>();
  for (let step = 0; step < 40; step++) {
    await world.cluster.advance("500ms");
    const list = await world.list("shop");
    const learners = list.filter(({ isLearner }) => isLearner).length;
    seen.add(`${list.length - learners}+${learners}`);
  }
  await world.converge("shop");
  expect([...seen]).toEqual(["1+1", "2+0", "2+1", "3+0"]);
  expect(await world.members("shop")).toEqual(
    (await world.pods("shop")).map(({ metadata }) => metadata.name).toSorted(),
  );
  expect(world.etcd.violations).toEqual([]);
});

test("a cluster shrinks by removing a member, its Pod and its volume, and the leader stays", async () => {
  await using world = await etcdTestCluster();
  await world.create("shop", { size: 3 });
  await world.converge("shop");
  await world.etcd.put(world.client("shop"), "key", "kept", { signal });
  const leader = (await world.etcd.status(world.client("shop"), { signal })).leaderId;
  await world.patch("shop", { size: 1 });
  await world.converge("shop");
  expect((await world.list("shop")).map(({ id }) => id)).toEqual([leader]);
  expect(await world.pods("shop")).toHaveLength(1);
  expect(await world.volumes("shop")).toHaveLength(1);
  expect(await world.etcd.get(world.client("shop"), "key", { signal })).toBe("kept");
  const reasons: string[] = [];
  for await (const { reason = "", regarding } of world.cluster.list(Event))
    if (regarding?.kind === "EtcdCluster") reasons.push(reason);
  expect(new Set(reasons)).toEqual(new Set(["New Member Added", "Member Removed"]));
});

test("a paused cluster is not changed, and says so", async () => {
  await using world = await etcdTestCluster();
  const { cluster } = world;
  await world.create("shop", { size: 1 });
  await world.converge("shop");
  await world.patch("shop", { size: 3, paused: true });
  await cluster.advance("10m");
  expect(await world.members("shop")).toHaveLength(1);
  expect((await cluster.conditions(EtcdCluster, "shop")).Paused?.reason).toBe("SpecPaused");
  expect((await cluster.get(EtcdCluster, "shop")).status?.controlPaused).toBe(true);
  await world.patch("shop", { paused: false });
  await world.converge("shop");
  expect(await world.members("shop")).toHaveLength(3);
  expect((await cluster.conditions(EtcdCluster, "shop")).Paused).toBeUndefined();
});

test("members have no volume if the spec opts out, or if the cluster has no default StorageClass, and a condition says so", async () => {
  await using world = await etcdTestCluster();
  const { cluster } = world;
  await world.create("cache", { size: 1, storage: { ephemeral: true } });
  await world.converge("cache");
  expect(await world.volumes("cache")).toEqual([]);
  expect((await cluster.conditions(EtcdCluster, "cache")).Ephemeral?.reason).toBe("OptedOut");

  for await (const { metadata } of cluster.list(StorageClass)) await cluster.delete(StorageClass, metadata.name);
  await world.create("shop", { size: 1 });
  await world.converge("shop");
  expect(await world.volumes("shop")).toEqual([]);
  expect((await cluster.conditions(EtcdCluster, "shop")).Ephemeral?.reason).toBe("NoDefaultStorageClass");
});

test("Pods that are not members are deleted, and Pods of another owner stay", async () => {
  await using world = await etcdTestCluster();
  const { cluster } = world;
  await world.create("shop", { size: 1 });
  await world.converge("shop");
  const [pod] = await world.pods("shop");
  const labels = { app: "etcd", etcd_cluster: "shop" };
  const spec = { containers: [{ name: "etcd", image: "quay.io/coreos/etcd:v3.5.21" }] };
  const { ownerReferences = [] } = pod?.metadata ?? {};
  await cluster.create(Pod, {
    metadata: { name: "shop-stranger", labels, ownerReferences: structuredClone(ownerReferences) as never },
    spec,
  });
  await cluster.create(Pod, { metadata: { name: "foreign", labels }, spec });
  await cluster.advance("1m");
  expect((await world.pods("shop")).map(({ metadata }) => metadata.name)).toEqual(["foreign", pod?.metadata.name]);
});

test("a steady cluster is observed and not written", async () => {
  await using world = await etcdTestCluster();
  const { cluster } = world;
  await world.create("shop", { size: 3 });
  await world.converge("shop");
  await cluster.advance("10m");
  const runs = cluster.runs(EtcdCluster, "shop");
  expect(runs).toHaveLength(10);
  expect(runs.flatMap(({ writes, status }) => [...writes, ...status])).toEqual([]);
});
