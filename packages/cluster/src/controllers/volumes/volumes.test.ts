import { PersistentVolume, PersistentVolumeClaim, Pod } from "kubewright/k8s/core/v1";
import { VolumeAttributesClass } from "kubewright/k8s/storage/v1";
import { expect, test } from "vitest";
import { startVirtualCluster } from "../../../test/virtual-cluster.js";

const volume = (name: string, storage: string, more: object = {}) => ({
  metadata: { name },
  spec: { capacity: { storage }, accessModes: ["ReadWriteOnce" as const], hostPath: { path: "/data" }, ...more },
});
const claim = (name: string, storage: string, more: object = {}) => ({
  metadata: { name },
  spec: {
    accessModes: ["ReadWriteOnce" as const],
    resources: { requests: { storage } },
    storageClassName: "",
    ...more,
  },
});

test("a PVC binds to the smallest matching PV or waits for one, and releases it when deleted", async () => {
  await using world = await startVirtualCluster({ nodes: 1 });
  const { client, rest, advance } = world;
  await client.create(PersistentVolume, volume("large", "10Gi"));
  await client.create(PersistentVolume, volume("small", "2Gi"));
  await rest();
  await client.create(PersistentVolumeClaim, claim("a", "1Gi"));
  await client.create(PersistentVolumeClaim, claim("b", "20Gi"));
  await rest();
  const phaseOf = async (name: string) => {
    const { spec, status } = await client.get(PersistentVolumeClaim, name);
    return `${status?.phase} ${spec?.volumeName ?? ""}`;
  };
  expect([await phaseOf("a"), await phaseOf("b")]).toEqual(["Bound small", "Pending "]);
  await client.create(PersistentVolume, volume("huge", "30Gi"));
  await advance(15);
  expect(await phaseOf("b")).toBe("Bound huge");

  await client.create(Pod, {
    metadata: { name: "user" },
    spec: {
      containers: [{ name: "main", image: "web:1" }],
      volumes: [{ name: "data", persistentVolumeClaim: { claimName: "a" } }],
    },
  });
  await rest();
  await client.delete(PersistentVolumeClaim, "a");
  await rest();
  // The finalizer blocks the deletion while a Pod uses the PVC.
  expect((await client.get(PersistentVolumeClaim, "a")).metadata.deletionTimestamp).toBeDefined();
  await client.delete(Pod, "user");
  await rest();
  expect(await client.find(PersistentVolumeClaim, "a")).toBeUndefined();
  expect((await client.get(PersistentVolume, "small")).status?.phase).toBe("Released");
  await client.delete(PersistentVolume, "huge");
  await rest();
  expect((await client.get(PersistentVolume, "huge")).metadata.deletionTimestamp).toBeDefined();
  await client.delete(PersistentVolumeClaim, "b");
  await rest();
  expect(await client.find(PersistentVolume, "huge")).toBeUndefined();
});

test("the PVC of a generic ephemeral volume is created and deleted with its Pod", async () => {
  await using world = await startVirtualCluster({ nodes: 1 });
  const { client, rest } = world;
  await client.create(PersistentVolume, volume("one", "1Gi"));
  await rest();
  const { spec } = claim("", "1Gi");
  await client.create(Pod, {
    metadata: { name: "user" },
    spec: {
      containers: [{ name: "main", image: "web:1" }],
      volumes: [
        { name: "scratch", ephemeral: { volumeClaimTemplate: { metadata: { labels: { of: "user" } }, spec } } },
      ],
    },
  });
  await rest();
  expect((await client.get(Pod, "user")).status?.phase).toBe("Running");
  const created = await client.get(PersistentVolumeClaim, "user-scratch");
  expect([created.status?.phase, created.metadata.labels]).toEqual(["Bound", { of: "user" }]);
  await client.delete(Pod, "user");
  await rest();
  expect(await client.find(PersistentVolumeClaim, "user-scratch")).toBeUndefined();
});

test("PVs, PVCs and VolumeAttributesClasses get protection finalizers on creation, and a used class is not deleted", async () => {
  await using world = await startVirtualCluster({ nodes: 1 });
  const { client, rest } = world;
  const created = [
    await client.create(PersistentVolume, volume("v", "1Gi")),
    await client.create(PersistentVolumeClaim, claim("c", "1Gi", { volumeAttributesClassName: "fast" })),
    await client.create(VolumeAttributesClass, {
      metadata: { name: "fast" },
      driverName: "x.example",
      parameters: { a: "b" },
    }),
  ];
  expect(created.map(({ metadata }) => metadata.finalizers)).toEqual([
    ["kubernetes.io/pv-protection"],
    ["kubernetes.io/pvc-protection"],
    ["kubernetes.io/vac-protection"],
  ]);
  await client.delete(VolumeAttributesClass, "fast");
  await rest();
  expect((await client.get(VolumeAttributesClass, "fast")).metadata.deletionTimestamp).toBeDefined();
  await client.delete(PersistentVolumeClaim, "c");
  await rest();
  expect(await client.find(VolumeAttributesClass, "fast")).toBeUndefined();
});
