import fc from "fast-check";
import { ControllerRevision, StatefulSet } from "kubewright/k8s/apps/v1";
import { PersistentVolumeClaim, Pod } from "kubewright/k8s/core/v1";
import { expect, test } from "vitest";
import { type ControllerCluster, startControllerCluster, unlessGone } from "../../../test/virtual-cluster.js";
import { statefulSetController } from "./index.js";

const controllers = () => [statefulSetController()];
const db = { namespace: "default", name: "db" };
const labels = { app: "db" };
const container = (image: string) => ({
  name: "db",
  image,
  args: ["<a>&b"],
  resources: { requests: { cpu: "100m" } },
});
const template = (image: string) => ({ metadata: { labels }, spec: { containers: [container(image)] } });
const claimTemplate = {
  metadata: { name: "data" },
  spec: { accessModes: ["ReadWriteOnce" as const], resources: { requests: { storage: "1Gi" } } },
};
const statefulSet = (replicas: number, more: object = {}) => ({
  metadata: { ...db, annotations: { a: "b" } },
  spec: { replicas, serviceName: "db", selector: { matchLabels: labels }, template: template("db:1"), ...more },
});
const toImage = (image: string) => ({ merge: { spec: { template: { spec: { containers: [container(image)] } } } } });

const images = async (rig: ControllerCluster) =>
  Object.fromEntries((await rig.pods()).map(({ metadata, spec }) => [metadata.name, spec?.containers[0]?.image]));

async function claims(rig: ControllerCluster) {
  const owners: Record<string, string | undefined> = {};
  for await (const { metadata } of rig.client.list(PersistentVolumeClaim, { namespace: "default" }))
    if (metadata.deletionTimestamp === undefined) owners[metadata.name] = metadata.ownerReferences?.[0]?.kind;
  return owners;
}

test("Pods are created in order, with names, labels, PersistentVolumeClaims and revision label", async () => {
  await using rig = await startControllerCluster(controllers);
  await rig.client.create(StatefulSet, statefulSet(2, { volumeClaimTemplates: [claimTemplate] }));
  await rig.rest();
  const [first, ...others] = await rig.pods();
  expect(others).toEqual([]);
  expect(first).toMatchObject({
    metadata: {
      name: "db-0",
      generateName: "db-",
      labels: {
        app: "db",
        "apps.kubernetes.io/pod-index": "0",
        "controller-revision-hash": "db-656b4f8cd7",
        "statefulset.kubernetes.io/pod-name": "db-0",
      },
    },
    spec: {
      hostname: "db-0",
      subdomain: "db",
      volumes: [{ name: "data", persistentVolumeClaim: { claimName: "data-db-0" } }],
    },
  });
  const revision = await rig.client.get(ControllerRevision, { namespace: "default", name: "db-656b4f8cd7" });
  expect(revision).toMatchObject({
    metadata: { labels: { app: "db", "controller.kubernetes.io/hash": "656b4f8cd7" }, annotations: { a: "b" } },
    revision: 1,
    data: { spec: { template: { $patch: "replace" } } },
  });
  expect((await rig.client.get(StatefulSet, db)).status).toEqual({
    availableReplicas: 0,
    collisionCount: 0,
    currentReplicas: 1,
    currentRevision: "db-656b4f8cd7",
    observedGeneration: 1,
    replicas: 1,
    updateRevision: "db-656b4f8cd7",
    updatedReplicas: 1,
  });
  await rig.settle();
  expect((await rig.client.get(StatefulSet, db)).status).toMatchObject({ readyReplicas: 2, availableReplicas: 2 });
  expect(await claims(rig)).toEqual({ "data-db-0": undefined, "data-db-1": undefined });
  expect(await rig.events("SuccessfulCreate")).toEqual([
    "Create Claim data-db-0 Pod db-0 in StatefulSet db success",
    "Create Claim data-db-1 Pod db-1 in StatefulSet db success",
    "Create Pod db-0 in StatefulSet db successful",
    "Create Pod db-1 in StatefulSet db successful",
  ]);
});

test("a rolling update proceeds from the highest ordinal to the partition, and keeps the revision history", async () => {
  await using rig = await startControllerCluster(controllers);
  await rig.client.create(StatefulSet, statefulSet(3, { revisionHistoryLimit: 1 }));
  await rig.settle();
  const before = (await rig.client.get(StatefulSet, db)).status?.currentRevision;
  await rig.client.patch(StatefulSet, db, {
    merge: { spec: { updateStrategy: { rollingUpdate: { partition: 1 } }, ...toImage("db:2").merge.spec } },
  });
  await rig.rest();
  const terminating = (await rig.pods()).filter(({ metadata }) => metadata.deletionTimestamp !== undefined);
  expect(terminating.map(({ metadata }) => metadata.name)).toEqual(["db-2"]);
  await rig.settle();
  expect(await images(rig)).toEqual({ "db-0": "db:1", "db-1": "db:2", "db-2": "db:2" });
  const { status } = await rig.client.get(StatefulSet, db);
  expect(status).toMatchObject({ currentRevision: before, currentReplicas: 1, updatedReplicas: 2 });
  await rig.client.delete(Pod, { namespace: "default", name: "db-0" });
  await rig.settle();
  expect((await images(rig))["db-0"]).toBe("db:1");
  await rig.client.patch(StatefulSet, db, { merge: { spec: { updateStrategy: { rollingUpdate: { partition: 0 } } } } });
  await rig.settle();
  expect((await rig.client.get(StatefulSet, db)).status).toMatchObject({ currentRevision: status?.updateRevision });
  await rig.client.patch(StatefulSet, db, toImage("db:1"));
  await rig.settle();
  const revisions = [];
  for await (const one of rig.client.list(ControllerRevision, { namespace: "default" })) revisions.push(one);
  expect(revisions.map(({ metadata, revision }) => [metadata.name, revision]).sort()).toEqual(
    [
      [before, 3],
      [status?.updateRevision, 2],
    ].sort(),
  );
});

test("a broken update stops at the first Pod until that Pod is deleted manually", async () => {
  await using rig = await startControllerCluster(controllers);
  await rig.client.create(StatefulSet, statefulSet(2));
  await rig.settle();
  await rig.client.patch(StatefulSet, db, toImage("broken"));
  await rig.rest();
  for (const pod of await rig.pods()) if (pod.metadata.deletionTimestamp !== undefined) await rig.finish(pod);
  await rig.rest();
  expect(await images(rig)).toEqual({ "db-0": "db:1", "db-1": "broken" });
  await rig.client.patch(StatefulSet, db, toImage("db:1"));
  await rig.advance(600);
  expect(await images(rig)).toEqual({ "db-0": "db:1", "db-1": "broken" });
  await rig.client.delete(Pod, { namespace: "default", name: "db-1" });
  await rig.settle();
  expect(await images(rig)).toEqual({ "db-0": "db:1", "db-1": "db:1" });
});

test("Parallel creates and deletes Pods at once, and OnDelete replaces no Pod by itself", async () => {
  await using rig = await startControllerCluster(controllers);
  const parallel = { podManagementPolicy: "Parallel", updateStrategy: { type: "OnDelete" }, ordinals: { start: 5 } };
  await rig.client.create(StatefulSet, statefulSet(3, parallel));
  await rig.rest();
  expect(Object.keys(await images(rig))).toEqual(["db-5", "db-6", "db-7"]);
  await rig.settle();
  await rig.client.patch(StatefulSet, db, toImage("db:2"));
  await rig.settle();
  expect(new Set(Object.values(await images(rig)))).toEqual(new Set(["db:1"]));
  await rig.client.patch(StatefulSet, db, { merge: { spec: { replicas: 1 } } });
  await rig.rest();
  const terminating = (await rig.pods()).filter(({ metadata }) => metadata.deletionTimestamp !== undefined);
  expect(terminating.map(({ metadata }) => metadata.name)).toEqual(["db-6", "db-7"]);
  await rig.client.delete(Pod, { namespace: "default", name: "db-5" });
  await rig.settle();
  expect(await images(rig)).toEqual({ "db-5": "db:2" });
});

test("persistentVolumeClaimRetentionPolicy deletes PVCs with the StatefulSet or with their Pods", async () => {
  await using rig = await startControllerCluster(controllers);
  const policy = { persistentVolumeClaimRetentionPolicy: { whenDeleted: "Delete", whenScaled: "Delete" } };
  await rig.client.create(StatefulSet, statefulSet(2, { volumeClaimTemplates: [claimTemplate], ...policy }));
  await rig.settle();
  expect(await claims(rig)).toEqual({ "data-db-0": "StatefulSet", "data-db-1": "StatefulSet" });
  await rig.client.patch(StatefulSet, db, { merge: { spec: { replicas: 1 } } });
  await rig.rest();
  expect(await claims(rig)).toEqual({ "data-db-0": "StatefulSet", "data-db-1": "Pod" });
  await rig.settle();
  expect(await claims(rig)).toEqual({ "data-db-0": "StatefulSet" });
  await rig.client.patch(StatefulSet, db, {
    merge: { spec: { persistentVolumeClaimRetentionPolicy: { whenDeleted: "Retain", whenScaled: "Retain" } } },
  });
  await rig.rest();
  expect(await claims(rig)).toEqual({ "data-db-0": undefined });
});

test("for any changes and failures, no identity runs twice, Pods are created in order, and all replicas become ready", async () => {
  const step = fc.record(
    {
      replicas: fc.nat(4),
      image: fc.constantFrom("db:1", "db:2"),
      kill: fc.nat(4),
      fail: fc.nat(4),
      restart: fc.boolean(),
    },
    { requiredKeys: [] },
  );
  const steps = fc.array(step, { minLength: 2, maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(steps, async (all) => {
      await using rig = await startControllerCluster(controllers);
      await rig.client.create(StatefulSet, statefulSet(2));
      let replicas = 2;
      let image = "db:1";
      for (const { kill, fail, restart, ...desired } of all) {
        replicas = desired.replicas ?? replicas;
        image = desired.image ?? image;
        await rig.client.patch(StatefulSet, db, { merge: { spec: { replicas, ...toImage(image).merge.spec } } });
        // Pods that are created before the controller sees a failure do not count.
        await rig.rest();
        const before = await rig.pods();
        const killed = before[kill ?? 9];
        const failed = before[fail ?? 9];
        if (killed !== undefined) {
          await unlessGone(rig.client.delete(Pod, { namespace: "default", name: killed.metadata.name }));
          await rig.rest();
        }
        if (failed !== undefined && failed !== killed)
          await unlessGone(
            rig.client.patchStatus(
              Pod,
              { namespace: "default", name: failed.metadata.name },
              { merge: { status: { phase: "Failed" } } },
            ),
          );
        if (restart === true) await rig.restart();
        for (let round = 0; round < 3; round++) {
          const known = new Set((await rig.pods()).map(({ metadata }) => metadata.uid));
          await rig.rest();
          const pods = await rig.pods();
          const created = pods.filter(({ metadata }) => !known.has(metadata.uid));
          // One at a time, when all lower ordinals are ready.
          expect(created.length).toBeLessThanOrEqual(1);
          for (const { metadata } of created)
            for (let below = Number(metadata.name.slice(3)) - 1; below >= 0; below--)
              expect(pods.find((pod) => pod.metadata.name === `db-${below}`)?.status?.conditions).toHaveLength(1);
          for (const pod of await rig.pods())
            await (pod.metadata.deletionTimestamp === undefined ? rig.makeReady(pod) : rig.finish(pod));
        }
      }
      await rig.settle();
      const expected = Array.from({ length: replicas }, (_, ordinal) => [`db-${ordinal}`, image]);
      expect(await images(rig)).toEqual(Object.fromEntries(expected));
      const { status } = await rig.client.get(StatefulSet, db);
      expect(status).toMatchObject({ replicas, availableReplicas: replicas });
      expect(status?.currentRevision).toBe(status?.updateRevision);
    }),
    { numRuns: 3 },
  );
});
