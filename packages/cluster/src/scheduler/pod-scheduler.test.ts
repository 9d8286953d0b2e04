import { Event, Node, PersistentVolume, PersistentVolumeClaim, Pod } from "kubewright/k8s/core/v1";
import { PriorityClass } from "kubewright/k8s/scheduling/v1";
import { StorageClass } from "kubewright/k8s/storage/v1";
import { expect, test } from "vitest";
import { startVirtualCluster } from "../../test/virtual-cluster.js";

interface NodeShape {
  readonly labels?: Record<string, string>;
  readonly taints?: object[];
  readonly cpu?: string;
}

async function start(nodes: Readonly<Record<string, NodeShape>>) {
  const world = await startVirtualCluster({ nodes: 0 });
  const { client, rest } = world;
  for (const [name, { labels = {}, taints = [], cpu = "2" }] of Object.entries(nodes)) {
    const resources = { cpu, memory: "8Gi", pods: "10" };
    await client.create(Node, {
      metadata: { name, labels: { "kubernetes.io/hostname": name, ...labels } },
      status: { allocatable: resources, capacity: resources },
    } as never);
    // New nodes have the not-ready taint until the node lifecycle controller removes it.
    await client.patch(Node, name, { merge: { spec: { taints: taints as never } } });
  }
  const create = (name: string, spec: object = {}, labels: Record<string, string> = {}) =>
    client.create(Pod, {
      metadata: { name, labels },
      spec: {
        containers: [{ name: "main", image: "web:1", ...("cpu" in spec ? requesting(String(spec.cpu)) : {}) }],
        ...without(spec),
      },
    });
  const nodeOf = async (name: string): Promise<string> => {
    await rest();
    const { spec, status } = await client.get(Pod, name);
    return (
      spec?.nodeName ?? status?.conditions?.find(({ type }) => type === "PodScheduled")?.message ?? "not scheduled"
    );
  };
  return { ...world, create, nodeOf };
}

const requesting = (cpu: string) => ({ resources: { requests: { cpu } } });
const without = ({ cpu: _, ...spec }: { cpu?: unknown }) => spec;
const antiAffinity = (topologyKey: string, app: string) => ({
  podAntiAffinity: {
    requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey, labelSelector: { matchLabels: { app } } }],
  },
});

test("Pods are spread over free resources, and an unschedulable Pod gets kube-scheduler's message", async () => {
  await using world = await start({
    a: {},
    b: {},
    c: { taints: [{ key: "special", value: "yes", effect: "NoSchedule" }] },
  });
  const { client, create, nodeOf } = world;
  await create("one", { cpu: "1500m" });
  await create("two", { cpu: "1500m" });
  expect([await nodeOf("one"), await nodeOf("two")].sort()).toEqual(["a", "b"]);
  await create("three", { cpu: "1" });
  const message =
    "0/3 nodes are available: 1 node(s) had untolerated taint(s), 2 Insufficient cpu. no new claims to deallocate, preemption: 0/3 nodes are available: 1 Preemption is not helpful for scheduling, 2 No preemption victims found for incoming pod.";
  expect(await nodeOf("three")).toBe(message);
  await create("tolerant", { cpu: "1", tolerations: [{ key: "special", operator: "Exists" }] });
  expect(await nodeOf("tolerant")).toBe("c");
  const { items } = await client.listPage(Event);
  const notes = items.map(({ reason, message: note }) => `${reason} ${note}`);
  expect(notes).toContain(`FailedScheduling ${message}`);
  expect(notes).toContain("Scheduled Successfully assigned default/tolerant to c");

  await client.delete(Pod, "one", { gracePeriodSeconds: 0 });
  expect(await nodeOf("three")).toMatch(/^[ab]$/);
});

test("node selectors, affinity, topology spread and host ports decide where a Pod is scheduled", async () => {
  await using world = await start({
    a: { labels: { zone: "x", disk: "fast" } },
    b: { labels: { zone: "x" } },
    c: { labels: { zone: "y" } },
  });
  const { client, create, nodeOf } = world;
  await create("chosen", { nodeSelector: { disk: "fast" } }, { app: "db" });
  expect(await nodeOf("chosen")).toBe("a");
  await create("missing", { nodeSelector: { disk: "none" } });
  expect(await nodeOf("missing")).toContain("3 node(s) didn't match Pod's node affinity/selector.");

  const together = {
    requiredDuringSchedulingIgnoredDuringExecution: [
      { topologyKey: "zone", labelSelector: { matchLabels: { app: "db" } } },
    ],
  };
  await create("near", { affinity: { podAffinity: together, ...antiAffinity("kubernetes.io/hostname", "db") } });
  expect(await nodeOf("near")).toBe("b");
  await create("apart", { affinity: antiAffinity("zone", "db") }, { app: "far" });
  expect(await nodeOf("apart")).toBe("c");
  // The anti-affinity of existing Pods applies too.
  await create("repelled", { nodeSelector: { zone: "y" } }, { app: "db" });
  expect(await nodeOf("repelled")).toContain("1 node(s) didn't satisfy existing pods anti-affinity rules");

  const spread = [
    {
      maxSkew: 1,
      topologyKey: "zone",
      whenUnsatisfiable: "DoNotSchedule",
      labelSelector: { matchLabels: { app: "web" } },
    },
  ];
  for (const name of ["web-1", "web-2", "web-3", "web-4"])
    await create(name, { topologySpreadConstraints: spread }, { app: "web" });
  const zones = [];
  for (const name of ["web-1", "web-2", "web-3", "web-4"])
    zones.push((await client.get(Node, await nodeOf(name))).metadata.labels?.["zone"]);
  expect(zones.sort()).toEqual(["x", "x", "y", "y"]);

  const port = { containers: [{ name: "main", image: "web:1", ports: [{ containerPort: 80, hostPort: 80 }] }] };
  for (const name of ["p-1", "p-2", "p-3", "p-4"]) await create(name, port);
  expect(await nodeOf("p-4")).toContain("3 node(s) didn't have free ports for the requested pod ports");
});

test("a Pod is scheduled where its PV is, and WaitForFirstConsumer binds a PVC on the Pod's node", async () => {
  await using world = await start({ a: {}, b: {} });
  const { client, create, nodeOf, rest } = world;
  const on = (node: string) => ({
    required: {
      nodeSelectorTerms: [
        { matchExpressions: [{ key: "kubernetes.io/hostname", operator: "In" as const, values: [node] }] },
      ],
    },
  });
  const volume = { capacity: { storage: "1Gi" }, accessModes: ["ReadWriteOnce" as const], hostPath: { path: "/data" } };
  await client.create(StorageClass, {
    metadata: { name: "local" },
    provisioner: "kubernetes.io/no-provisioner",
    volumeBindingMode: "WaitForFirstConsumer",
  });
  await client.create(PersistentVolume, {
    metadata: { name: "disk" },
    spec: { ...volume, storageClassName: "local", nodeAffinity: on("b") },
  });
  await client.patchStatus(PersistentVolume, "disk", { merge: { status: { phase: "Available" } } });
  const claim = { accessModes: ["ReadWriteOnce" as const], resources: { requests: { storage: "1Gi" } } };
  const mounting = (claimName: string) => ({ volumes: [{ name: "data", persistentVolumeClaim: { claimName } }] });
  await create("early", mounting("data"));
  expect(await nodeOf("early")).toBe('0/2 nodes are available: persistentvolumeclaim "data" not found. not found');
  await client.create(PersistentVolumeClaim, {
    metadata: { name: "data" },
    spec: { ...claim, storageClassName: "local" },
  });
  await rest();
  expect((await client.get(PersistentVolume, "disk")).spec?.claimRef?.name).toBe("data");
  // Done by the PersistentVolume controller in a full cluster.
  await client.patch(PersistentVolumeClaim, "data", {
    merge: { metadata: { annotations: { "pv.kubernetes.io/bind-completed": "yes" } }, spec: { volumeName: "disk" } },
  });
  expect(await nodeOf("early")).toBe("b");

  await create("late", { ...mounting("data"), nodeSelector: { "kubernetes.io/hostname": "a" } });
  expect(await nodeOf("late")).toContain("1 node(s) didn't match PersistentVolume's node affinity");
  await client.create(PersistentVolumeClaim, { metadata: { name: "none" }, spec: { ...claim, storageClassName: "" } });
  await create("unbound", mounting("none"));
  expect(await nodeOf("unbound")).toContain("pod has unbound immediate PersistentVolumeClaims");
});

test("a Pod of higher priority preempts as few Pods of lower priority as possible", async () => {
  await using world = await start({ a: {}, b: {} });
  const { client, create, nodeOf, rest } = world;
  for (const [name, value] of Object.entries({ high: 1_000, low: 1 }))
    await client.create(PriorityClass, { metadata: { name }, value });
  const low = { priorityClassName: "low" };
  await create("small-1", { ...low, cpu: "1", nodeSelector: { "kubernetes.io/hostname": "a" } });
  await create("small-2", { ...low, cpu: "1", nodeSelector: { "kubernetes.io/hostname": "a" } });
  await create("large", { cpu: "2", nodeSelector: { "kubernetes.io/hostname": "b" } });
  await rest();
  await create("urgent", { priorityClassName: "high", cpu: "1" });
  await rest();
  const preemptor = await client.get(Pod, "urgent");
  expect(preemptor.status?.nominatedNodeName ?? preemptor.spec?.nodeName).toBe("b");
  const victim = await client.get(Pod, "large");
  expect(victim.metadata.deletionTimestamp).toBeDefined();
  expect(victim.status?.conditions?.find(({ type }) => type === "DisruptionTarget")).toMatchObject({
    reason: "PreemptionByScheduler",
  });
  // A Pod of lower priority does not take the room reserved for the nominated Pod.
  await create("sneaky", { ...low, cpu: "1500m" });
  await rest();
  await client.delete(Pod, "large", { gracePeriodSeconds: 0 });
  expect(await nodeOf("urgent")).toBe("b");
  expect(await nodeOf("sneaky")).toContain("Insufficient cpu");
  await client.create(PriorityClass, { metadata: { name: "polite" }, value: 1_000, preemptionPolicy: "Never" });
  await create("never", { priorityClassName: "polite", cpu: "2" });
  expect(await nodeOf("never")).toContain("preemption: not eligible due to preemptionPolicy=Never.");
});
