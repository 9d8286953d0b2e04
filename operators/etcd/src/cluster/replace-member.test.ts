import { PodStage } from "@kubewright/testing";
import { PersistentVolumeClaim, Pod } from "kubewright/k8s/core/v1";
import { Event } from "kubewright/k8s/events/v1";
import { expect, test } from "vitest";
import { EtcdCluster } from "../resources/etcd-cluster.js";
import { etcdTestCluster } from "../testing/etcd-test-cluster.js";

const signal = new AbortController().signal;

test("a member whose Pod has ended or was deleted starts again with its volume", async () => {
  await using world = await etcdTestCluster();
  await world.create("shop", { size: 3 });
  await world.converge("shop");
  await world.etcd.put(world.client("shop"), "key", "kept", { signal });
  const members = await world.members("shop");
  const ids = (await world.list("shop")).map(({ id }) => id);
  await world.fail(members[0] ?? "");
  await world.cluster.delete(Pod, members[1] ?? "");
  await world.converge("shop");
  expect(await world.members("shop")).toEqual(members);
  expect((await world.list("shop")).map(({ id }) => id)).toEqual(ids);
  expect(await world.etcd.get(world.client("shop"), "key", { signal })).toBe("kept");
  await world.cluster.advance("6m");
  const annotations = (await world.volumes("shop")).flatMap(({ metadata }) => Object.keys(metadata.annotations ?? {}));
  expect(annotations).not.toContain("etcd.database.coreos.com/restarts");
});

test.each([true, false])("a member whose data is gone is replaced by a new one (ephemeral: %s)", async (ephemeral) => {
  await using world = await etcdTestCluster();
  const { cluster } = world;
  await world.create("shop", { size: 3, storage: { ephemeral } });
  await world.converge("shop");
  await world.etcd.put(world.client("shop"), "key", "kept", { signal });
  const [dead = "", ...rest] = await world.members("shop");
  await cluster.delete(Pod, dead);
  if (!ephemeral) await cluster.delete(PersistentVolumeClaim, dead);
  await cluster.settle();
  expect((await cluster.conditions(EtcdCluster, "shop")).Available?.status).toBe("True");
  await world.converge("shop");
  const members = await world.members("shop");
  expect(members).toHaveLength(3);
  expect(members).toEqual(expect.arrayContaining(rest));
  expect(members).not.toContain(dead);
  const notes: string[] = [];
  for await (const { reason, note = "" } of cluster.list(Event))
    if (reason === "Replacing Dead Member") notes.push(note);
  expect(notes).toEqual([`The dead member ${dead} is being replaced: its data is gone`]);
  expect(await world.etcd.get(world.client("shop"), "key", { signal })).toBe("kept");
  expect(world.etcd.violations).toEqual([]);
});

test("a member whose Pod is pinned to a node by its volume, and excluded from it by its affinity, is replaced after five minutes", async () => {
  await using world = await etcdTestCluster({ workloads: { nodes: 3 } });
  const { cluster } = world;
  await world.create("shop", { size: 3 });
  await world.converge("shop");
  const [moved = "", ...rest] = await world.members("shop");
  const { nodeName = "" } = (await cluster.get(Pod, moved)).spec ?? {};
  const expressions = [{ key: "kubernetes.io/hostname", operator: "NotIn", values: [nodeName] }];
  const affinity = {
    nodeAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchExpressions: expressions }] },
    },
  };
  await world.patch("shop", { pod: { affinity } });
  await cluster.delete(Pod, moved);
  await cluster.advance("2m");
  // The volume keeps it on the node that it must leave.
  expect((await cluster.get(Pod, moved)).status?.conditions?.find(({ type }) => type === "PodScheduled")?.status).toBe(
    "False",
  );
  await cluster.advance("5m");
  await world.converge("shop");
  const members = await world.members("shop");
  expect(members).toEqual(expect.arrayContaining(rest));
  expect(members).not.toContain(moved);
  const successor = members.find((name) => !rest.includes(name)) ?? "";
  expect((await cluster.get(Pod, successor)).spec?.nodeName).not.toBe(nodeName);
});

test("a member that ends again and again is replaced after three restarts", async () => {
  await using world = await etcdTestCluster();
  const { cluster } = world;
  await world.create("shop", { size: 3 });
  await world.converge("shop");
  const [dead = "", ...rest] = await world.members("shop");
  const run = { for: "1s", exitCode: 1 };
  await cluster.create(PodStage, {
    metadata: { name: "broken" },
    spec: { selector: { matchLabels: { etcd_node: dead } }, run },
  });
  await world.converge("shop");
  const members = await world.members("shop");
  expect(members).toEqual(expect.arrayContaining(rest));
  expect(members).not.toContain(dead);
  expect(await world.volumes("shop")).toHaveLength(3);
});

test("with onPlacementChange: ReplaceMembers each member moves: its successor joins before it leaves", async () => {
  await using world = await etcdTestCluster();
  const { cluster } = world;
  await world.create("shop", { size: 3 });
  await world.converge("shop");
  await world.etcd.put(world.client("shop"), "key", "kept", { signal });
  const before = await world.members("shop");
  await world.patch("shop", { pod: { tolerations: [{ key: "a", operator: "Exists" }] } });
  await cluster.advance("1m");
  expect((await cluster.conditions(EtcdCluster, "shop")).PlacementOutdated?.reason).toBe("PinnedByVolume");
  expect(await world.members("shop")).toEqual(before);

  await world.patch("shop", { onPlacementChange: "ReplaceMembers" });
  let fewest = 3;
  for (let step = 0; step < 120; step++) {
    await cluster.advance("1s");
    fewest = Math.min(fewest, (await world.list("shop")).filter(({ isLearner }) => !isLearner).length);
  }
  await world.converge("shop");
  const after = await world.members("shop");
  expect(after).toHaveLength(3);
  expect(after.filter((name) => before.includes(name))).toEqual([]);
  expect(fewest).toBe(3);
  expect((await cluster.conditions(EtcdCluster, "shop")).PlacementOutdated).toBeUndefined();
  expect(await world.etcd.get(world.client("shop"), "key", { signal })).toBe("kept");
});
