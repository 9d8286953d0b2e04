import { type TestCluster, type TestClusterOptions, testCluster } from "@kubewright/testing";
import { operator } from "kubewright";
import { Pod, Secret } from "kubewright/k8s/core/v1";
import { afterEach, expect, test } from "vitest";
import { S3Server } from "../backup/testing/s3-server.js";
import { EtcdCluster } from "../resources/etcd-cluster.js";
import { EtcdRestore } from "../resources/etcd-restore.js";
import { etcdRestoreController } from "./etcd-restore-controller.js";
import { restoreAnnotation, restoreDataOf } from "./restore-data.js";

const credentials = { accessKeyId: "EXAMPLEKEY", secretAccessKey: "example/secret+key" };
const snapshot = "shop_v42_2026-11-19-22:41:07";
const resources: AsyncDisposable[] = [];

afterEach(async () => {
  for (const resource of resources.splice(0).reverse()) await resource[Symbol.asyncDispose]();
});

interface World {
  readonly cluster: TestCluster;
  readonly server: S3Server;
}

/** What a real control plane would only repeat, in seconds for each step. */
const embedded = { on: "embedded" } as const;

/** A cluster with an EtcdCluster "shop", and a storage with two snapshots of it. No controller keeps EtcdClusters here. */
async function start(options: Pick<TestClusterOptions, "on"> = {}): Promise<World> {
  const server = await S3Server.start({ credentials, buckets: ["backups"] });
  resources.push(server);
  for (const name of [snapshot, "shop_v50_2026-11-18-22:41:07"])
    server.objects.set(`backups/${name}`, Buffer.from(name));
  const controllers = [
    etcdRestoreController({ image: async () => "example.com/operator:1", server: "http://restore:19999" }),
  ];
  const cluster = await testCluster(operator({ name: "etcd-operator", controllers }), { workloads: false, ...options });
  resources.push(cluster);
  const [id, key] = [credentials.accessKeyId, credentials.secretAccessKey];
  await cluster.create(Secret, {
    metadata: { name: "aws" },
    stringData: { credentials: `[default]\naws_access_key_id=${id}\naws_secret_access_key=${key}\n` },
  });
  await cluster.create(EtcdCluster, {
    metadata: { name: "shop", labels: { team: "a" }, annotations: { "example.com/note": "kept" } },
    spec: { size: 3, version: "3.6.16", paused: true },
  });
  return { cluster, server };
}

async function restore({ cluster, server }: World, spec: Record<string, unknown> = {}, name = "shop"): Promise<void> {
  await cluster.create(EtcdRestore, {
    metadata: { name },
    spec: {
      backupStorageType: "S3",
      s3: { path: "backups/shop", awsSecret: "aws", endpoint: server.url, forcePathStyle: true },
      etcdCluster: { name: "shop" },
      ...spec,
    },
  });
  await cluster.settle();
}

const ready = async ({ cluster }: World, name = "shop") => (await cluster.conditions(EtcdRestore, name)).Ready;
const statusOf = async ({ cluster }: World, name = "shop") => (await cluster.get(EtcdRestore, name)).status;

/** Reports the progress of a cluster, as its controller does. */
async function report({ cluster }: World, status: object, name = "shop"): Promise<void> {
  await cluster.patchStatus(EtcdCluster, name, { merge: { status } });
  await cluster.settle();
}

test("a cluster is replaced by one with its spec and the data of the newest snapshot", async () => {
  const world = await start();
  const old = await world.cluster.get(EtcdCluster, "shop");
  await restore(world);
  const created = await world.cluster.get(EtcdCluster, "shop");
  expect(created.metadata.uid).not.toBe(old.metadata.uid);
  expect(created.spec).toMatchObject({ size: 3, version: "3.6.16" });
  expect(created.spec.paused).toBeUndefined();
  expect(created.metadata).toMatchObject({ labels: { team: "a" }, annotations: { "example.com/note": "kept" } });
  expect(restoreDataOf(created)).toMatchObject({
    image: "example.com/operator:1",
    source: {
      kind: "service",
      url: `http://restore:19999/v1/backup/${old.metadata.namespace}/shop`,
      token: expect.any(String),
    },
  });
  expect(await statusOf(world)).toMatchObject({ snapshot, etcdRevision: 42, succeeded: false });

  expect(await ready(world)).toMatchObject({ status: "False", reason: "RestoringSnapshot" });
  await report(world, { phase: "Running", members: { ready: ["shop-a"] } });
  expect(await ready(world)).toMatchObject({ status: "False", reason: "WaitingForMembers" });
  await report(world, { members: { ready: ["shop-a", "shop-b", "shop-c"] } });
  expect(await ready(world)).toMatchObject({ status: "True", reason: "Succeeded" });
  expect((await statusOf(world))?.succeeded).toBe(true);
  const ended = await world.cluster.get(EtcdCluster, "shop");
  expect(ended.metadata.annotations?.[restoreAnnotation]).toBeUndefined();
});

test("a restore under a new name leaves the cluster as it is", async () => {
  const world = await start();
  const old = await world.cluster.get(EtcdCluster, "shop");
  await restore(world, { etcdCluster: { name: "shop", newName: "copy" } }, "any-name");
  expect(await world.cluster.get(EtcdCluster, "shop")).toEqual(old);
  await report(world, { phase: "Running", members: { ready: ["a", "b", "c"] } }, "copy");
  expect(await ready(world, "any-name")).toMatchObject({ reason: "Succeeded" });
});

test("a new name that another cluster has is rejected", async () => {
  const world = await start(embedded);
  await world.cluster.create(EtcdCluster, { metadata: { name: "copy" }, spec: { size: 1 } });
  await restore(world, { etcdCluster: { name: "shop", newName: "copy" } });
  expect(await ready(world)).toMatchObject({ reason: "NameTaken" });
  expect(await world.cluster.find(EtcdCluster, "copy")).toMatchObject({ spec: { size: 1 } });
});

test("a snapshot of a given name is restored", async () => {
  const world = await start(embedded);
  const s3 = { awsSecret: "aws", endpoint: world.server.url, forcePathStyle: true };
  await restore(world, { s3: { ...s3, path: "backups/shop_v50_2026-11-18-22:41:07" } });
  expect(await statusOf(world)).toMatchObject({ etcdRevision: 50 });
});

test("nothing is deleted until the snapshot is found", async () => {
  const world = await start(embedded);
  const { uid } = (await world.cluster.get(EtcdCluster, "shop")).metadata;
  const objects = [...world.server.objects];
  world.server.objects.clear();
  await restore(world);
  expect(await ready(world)).toMatchObject({ reason: "SnapshotMissing", message: 'There is no snapshot "shop"' });
  expect((await world.cluster.get(EtcdCluster, "shop")).metadata.uid).toBe(uid);
  for (const [name, content] of objects) world.server.objects.set(name, content);
  await world.cluster.advance("1m");
  expect((await world.cluster.get(EtcdCluster, "shop")).metadata.uid).not.toBe(uid);
});

test("nothing is deleted while the Secret is missing, or for a storage that is not supported", async () => {
  const world = await start(embedded);
  const { uid } = (await world.cluster.get(EtcdCluster, "shop")).metadata;
  await restore(world, { s3: { path: "backups/shop", awsSecret: "missing" } });
  expect(await ready(world)).toMatchObject({ reason: "SecretMissing" });
  await world.cluster.delete(EtcdRestore, "shop");
  await restore(world, { backupStorageType: "GCS", gcs: { path: "a/b", gcpSecret: "x" } });
  expect(await ready(world)).toMatchObject({ reason: "StorageNotSupported" });
  expect((await world.cluster.get(EtcdCluster, "shop")).metadata.uid).toBe(uid);
});

test("a cluster that does not exist yet is waited for", async () => {
  const world = await start(embedded);
  await world.cluster.delete(EtcdCluster, "shop");
  await restore(world);
  expect(await ready(world)).toMatchObject({ reason: "ClusterMissing" });
  await world.cluster.create(EtcdCluster, { metadata: { name: "shop" }, spec: { size: 1 } });
  await world.cluster.settle();
  expect(await ready(world)).toMatchObject({ reason: "RestoringSnapshot" });
});

test("the old cluster is waited for until it is gone", async () => {
  const world = await start(embedded);
  await world.cluster.patch(EtcdCluster, "shop", { merge: { metadata: { finalizers: ["example.com/hold"] } } });
  await restore(world);
  expect(await ready(world)).toMatchObject({ reason: "DeletingCluster" });
  expect((await world.cluster.get(EtcdCluster, "shop")).metadata.deletionTimestamp).toBeDefined();
  await world.cluster.patch(EtcdCluster, "shop", { merge: { metadata: { finalizers: null } } });
  await world.cluster.advance("20s");
  expect(await ready(world)).toMatchObject({ reason: "RestoringSnapshot" });
});

test("a restored cluster that is deleted is not created again", async () => {
  const world = await start(embedded);
  await restore(world);
  await world.cluster.delete(EtcdCluster, "shop");
  await world.cluster.settle();
  expect(await ready(world)).toMatchObject({ reason: "Failed", message: expect.stringContaining("was deleted") });
  await world.cluster.create(EtcdCluster, { metadata: { name: "shop" }, spec: { size: 1 } });
  await world.cluster.advance("10m");
  expect((await world.cluster.get(EtcdCluster, "shop")).spec.size).toBe(1);
});

test("a restore that has ended never starts again", async () => {
  const world = await start(embedded);
  await restore(world);
  await report(world, { phase: "Running", members: { ready: ["a", "b", "c"] } });
  const { uid } = (await world.cluster.get(EtcdCluster, "shop")).metadata;
  await world.cluster.stopOperator();
  await world.cluster.startOperator();
  await world.cluster.patch(EtcdRestore, "shop", { merge: { metadata: { labels: { changed: "yes" } } } });
  await world.cluster.advance("10m");
  expect((await world.cluster.get(EtcdCluster, "shop")).metadata.uid).toBe(uid);
});

test("a snapshot in a PersistentVolumeClaim is mounted by the first member, which reports its name", async () => {
  const world = await start();
  await restore(world, {
    backupStorageType: "PersistentVolumeClaim",
    persistentVolumeClaim: { claimName: "backups", path: "shop/etcd" },
  });
  const created = await world.cluster.get(EtcdCluster, "shop");
  expect(restoreDataOf(created)?.source).toEqual({ kind: "volume", claimName: "backups", path: "shop/etcd" });
  await world.cluster.create(Pod, {
    metadata: { name: "shop-a", labels: { app: "etcd", etcd_cluster: "shop" } },
    spec: { containers: [{ name: "etcd", image: "x" }], initContainers: [{ name: "fetch-snapshot", image: "x" }] },
  });
  const at = new Date(world.cluster.clock.now()).toISOString();
  const state = (exitCode: number, message: string) => ({
    terminated: { exitCode, message, startedAt: at, finishedAt: at },
  });
  const fetched = (exitCode: number, message: string) =>
    world.cluster.patchStatus(Pod, "shop-a", {
      merge: {
        status: {
          initContainerStatuses: [
            {
              name: "fetch-snapshot",
              image: "x",
              imageID: "x",
              ready: false,
              restartCount: 0,
              state: state(exitCode, message),
            },
          ],
        },
      },
    });
  await fetched(1, "no such file");
  await world.cluster.settle();
  expect((await ready(world))?.message).toContain("fetch-snapshot: no such file");
  await fetched(0, "Fetched etcd_v43_2026-11-19-23:00:00");
  await report(world, { phase: "Running", members: { ready: ["a", "b", "c"] } });
  expect(await statusOf(world)).toMatchObject({ snapshot: "etcd_v43_2026-11-19-23:00:00", etcdRevision: 43 });
  expect(await ready(world)).toMatchObject({ reason: "Succeeded" });
});
