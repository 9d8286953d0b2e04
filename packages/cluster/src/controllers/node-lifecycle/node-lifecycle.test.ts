import { Event, Node, Pod } from "kubewright/k8s/core/v1";
import { expect, test } from "vitest";
import { startVirtualCluster } from "../../../test/virtual-cluster.js";
import { silentAnnotation } from "../../node/index.js";

async function start() {
  const world = await startVirtualCluster({ nodes: 2 });
  const { client } = world;
  const taintsOf = async (name: string) =>
    ((await client.get(Node, name)).spec?.taints ?? []).map(({ key, effect }) => `${key}:${effect}`).sort();
  return { ...world, taintsOf };
}

test("an unreachable node is tainted, its Pods become unready and are evicted after 300 s, and it recovers", async () => {
  await using world = await start();
  const { client, rest, advance, taintsOf } = world;
  expect(await taintsOf("node-1")).toEqual([]);
  const create = (name: string, more: object = {}) =>
    client.create(Pod, {
      metadata: { name },
      spec: {
        nodeSelector: { "kubernetes.io/hostname": "node-1" },
        containers: [{ name: "main", image: "web:1" }],
        ...more,
      },
    });
  await create("one");
  await create("tolerant", { tolerations: [{ operator: "Exists" }] });
  await rest();
  const silent = (value: string | null) =>
    client.patch(Node, "node-1", { merge: { metadata: { annotations: { [silentAnnotation]: value } } } });
  await silent("yes");
  await advance(49);
  expect((await client.get(Pod, "one")).status?.conditions?.find(({ type }) => type === "Ready")?.status).toBe("True");
  await advance(10);
  expect(await taintsOf("node-1")).toEqual([
    "node.kubernetes.io/unreachable:NoExecute",
    "node.kubernetes.io/unreachable:NoSchedule",
  ]);
  const conditions = (await client.get(Node, "node-1")).status?.conditions ?? [];
  expect(conditions.map(({ status, reason }) => `${status} ${reason}`)).toEqual(
    Array(4).fill("Unknown NodeStatusUnknown"),
  );
  expect((await client.get(Pod, "one")).status?.conditions?.find(({ type }) => type === "Ready")?.status).toBe("False");
  await advance(301);
  const evicted = await client.get(Pod, "one");
  expect(evicted.metadata.deletionTimestamp).toBeDefined();
  expect(evicted.status?.conditions?.find(({ type }) => type === "DisruptionTarget")?.reason).toBe(
    "DeletionByTaintManager",
  );
  expect((await client.get(Pod, "tolerant")).metadata.deletionTimestamp).toBeUndefined();

  await silent(null);
  await rest();
  expect(await taintsOf("node-1")).toEqual([]);
  expect(await client.find(Pod, "one")).toBeUndefined();
  expect((await client.get(Pod, "tolerant")).status?.conditions?.find(({ type }) => type === "Ready")?.status).toBe(
    "True",
  );
  const { items } = await client.listPage(Event);
  expect(new Set(items.map(({ reason }) => reason))).toContain("TaintManagerEviction");
  expect(
    items.find(({ reason, involvedObject }) => reason === "NodeNotReady" && involvedObject.kind === "Node")?.message,
  ).toBe("Node node-1 status is now: NodeNotReady");
});

test("cordoning taints a node, other taints stay, and NoExecute evicts Pods that do not tolerate it", async () => {
  await using world = await start();
  const { client, rest, taintsOf } = world;
  await client.create(Pod, {
    metadata: { name: "one" },
    spec: { nodeName: "node-2", containers: [{ name: "main", image: "web:1" }] },
  });
  await client.patch(Node, "node-2", {
    merge: { spec: { unschedulable: true, taints: [{ key: "mine", effect: "NoSchedule" }] } },
  });
  await rest();
  expect(await taintsOf("node-2")).toEqual(["mine:NoSchedule", "node.kubernetes.io/unschedulable:NoSchedule"]);
  await client.patch(Node, "node-2", { merge: { spec: { unschedulable: null } } });
  await rest();
  expect(await taintsOf("node-2")).toEqual(["mine:NoSchedule"]);
  await client.patch(Node, "node-2", { merge: { spec: { taints: [{ key: "mine", effect: "NoExecute" }] } } });
  await rest();
  expect(await client.find(Pod, "one")).toBeUndefined();
});
