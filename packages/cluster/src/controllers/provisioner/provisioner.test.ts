import { StatefulSet } from "kubewright/k8s/apps/v1";
import { Event, Node, PersistentVolume, PersistentVolumeClaim, Pod } from "kubewright/k8s/core/v1";
import { StorageClass } from "kubewright/k8s/storage/v1";
import { expect, test } from "vitest";
import { startVirtualCluster } from "../../../test/virtual-cluster.js";

const request = { accessModes: ["ReadWriteOnce" as const], resources: { requests: { storage: "1Gi" } } };

test("a StatefulSet gets node-local PVs from the default StorageClass, and they are deleted with their PVCs", async () => {
  await using world = await startVirtualCluster({ nodes: 3 });
  const { client, rest, advance } = world;
  await client.create(StatefulSet, {
    metadata: { name: "db" },
    spec: {
      serviceName: "db",
      replicas: 2,
      selector: { matchLabels: { app: "db" } },
      template: {
        metadata: { labels: { app: "db" } },
        spec: {
          containers: [{ name: "main", image: "db:1", volumeMounts: [{ name: "data", mountPath: "/data" }] }],
        },
      },
      volumeClaimTemplates: [{ metadata: { name: "data" }, spec: request }],
    },
  });
  await rest();
  expect((await client.get(StatefulSet, "db")).status?.readyReplicas).toBe(2);
  const claim = await client.get(PersistentVolumeClaim, "data-db-0");
  expect([claim.spec?.storageClassName, claim.status?.phase]).toEqual(["standard", "Bound"]);
  const volume = await client.get(PersistentVolume, claim.spec?.volumeName ?? "");
  const home = (await client.get(Pod, "db-0")).spec?.nodeName ?? "";
  expect(volume.metadata.name).toBe(`pvc-${claim.metadata.uid}`);
  expect(volume.spec?.nodeAffinity?.required?.nodeSelectorTerms[0]?.matchExpressions?.[0]?.values).toEqual([home]);
  const notes: string[] = [];
  for await (const { reason, message, regarding } of events(client))
    if (regarding === "data-db-0" && /^Provisioning/.test(reason)) notes.push(`${reason}: ${message}`);
  expect(notes.sort()).toEqual([
    'Provisioning: External provisioner is provisioning volume for claim "default/data-db-0"',
    `ProvisioningSucceeded: Successfully provisioned volume pvc-${claim.metadata.uid}`,
  ]);

  // The Pod can only run on the node of its PV.
  await client.patch(Node, home, { merge: { spec: { unschedulable: true } } });
  await client.delete(Pod, "db-0");
  await advance(1);
  expect((await client.get(Pod, "db-0")).spec?.nodeName).toBeUndefined();
  await client.patch(Node, home, { merge: { spec: { unschedulable: null } } });
  await advance(10);
  expect((await client.get(Pod, "db-0")).spec?.nodeName).toBe(home);

  await client.delete(StatefulSet, "db");
  await client.delete(Pod, "db-0");
  await client.delete(PersistentVolumeClaim, "data-db-0");
  await advance(5);
  expect(await client.find(PersistentVolume, volume.metadata.name)).toBeUndefined();
});

test("Immediate binding provisions a PV without node affinity, and reclaimPolicy Retain keeps it", async () => {
  await using world = await startVirtualCluster({ nodes: 1 });
  const { client, rest } = world;
  await client.create(StorageClass, {
    metadata: { name: "shared" },
    provisioner: "simulation.kubewright.dev/storage",
    reclaimPolicy: "Retain",
  });
  await client.create(PersistentVolumeClaim, {
    metadata: { name: "a" },
    spec: { ...request, storageClassName: "shared" },
  });
  await rest();
  const { spec, status } = await client.get(PersistentVolumeClaim, "a");
  expect([status?.phase, status?.capacity]).toEqual(["Bound", { storage: "1Gi" }]);
  const volume = await client.get(PersistentVolume, spec?.volumeName ?? "");
  expect([volume.spec?.nodeAffinity, volume.spec?.persistentVolumeReclaimPolicy]).toEqual([undefined, "Retain"]);
  await client.delete(PersistentVolumeClaim, "a");
  await rest();
  expect((await client.get(PersistentVolume, volume.metadata.name)).status?.phase).toBe("Released");
});

test("a PVC that is older than the default StorageClass gets a PV", async () => {
  await using world = await startVirtualCluster({ start: "when needed" });
  const { client, rest } = world;
  await client.create(PersistentVolumeClaim, { metadata: { name: "a" }, spec: request });
  await client.create(Pod, {
    metadata: { name: "user" },
    spec: {
      containers: [{ name: "main", image: "web:1" }],
      volumes: [{ name: "data", persistentVolumeClaim: { claimName: "a" } }],
    },
  });
  await rest();
  expect((await client.get(PersistentVolumeClaim, "a")).spec?.storageClassName).toBe("standard");
  expect((await client.get(Pod, "user")).status?.phase).toBe("Running");
});

test("no simulated volume is made for a node with a kubelet, which would write to it", async () => {
  await using world = await startVirtualCluster({ nodes: 1 });
  const { client, rest } = world;
  await client.create(Node, { metadata: { name: "real" } });
  const daemonEndpoints = { kubeletEndpoint: { Port: 10250 } };
  await client.patchStatus(Node, "real", { merge: { status: { daemonEndpoints } } });
  for (const [name, node] of [
    ["on-real", "real"],
    ["on-simulated", "node-1"],
  ] as const)
    await client.create(PersistentVolumeClaim, {
      metadata: { name, annotations: { "volume.kubernetes.io/selected-node": node } },
      spec: request,
    });
  await rest();
  expect((await client.get(PersistentVolumeClaim, "on-simulated")).status?.phase).toBe("Bound");
  expect((await client.get(PersistentVolumeClaim, "on-real")).status?.phase).toBe("Pending");
});

test("without the provisioner or without nodes there is no default StorageClass", async () => {
  await using world = await startVirtualCluster({ nodes: 1, without: ["storage-provisioner"] });
  expect(await world.client.find(StorageClass, "standard")).toBeUndefined();
  await using empty = await startVirtualCluster({ nodes: 0 });
  expect(await empty.client.find(StorageClass, "standard")).toBeUndefined();
});

async function* events(client: Awaited<ReturnType<typeof startVirtualCluster>>["client"]) {
  for await (const { reason = "", message, involvedObject } of client.list(Event))
    yield { reason, message, regarding: involvedObject.name };
}
