/** Backup and restore by the whole operator, on simulated nodes with simulated members. */
import { PersistentVolumeClaim, Pod, Secret } from "kubewright/k8s/core/v1";
import { afterEach, expect, test, vi } from "vitest";
import { S3Server } from "../backup/testing/s3-server.js";
import { EtcdBackup } from "../resources/etcd-backup.js";
import { EtcdCluster } from "../resources/etcd-cluster.js";
import { EtcdRestore } from "../resources/etcd-restore.js";
import { CrashPoints, crashStride } from "../testing/crash-points.js";
import { type EtcdTestCluster, etcdTestCluster } from "../testing/etcd-test-cluster.js";
import { freePorts } from "../testing/free-ports.js";

const credentials = { accessKeyId: "EXAMPLEKEY", secretAccessKey: "example/secret+key" };
const { signal } = new AbortController();

afterEach(() => vi.restoreAllMocks());

interface World extends AsyncDisposable {
  readonly etcd: EtcdTestCluster;
  readonly server: S3Server;
  readonly s3: {
    readonly path: string;
    readonly awsSecret: string;
    readonly endpoint: string;
    readonly forcePathStyle: boolean;
  };
}

/** A cluster "shop" of a size, with one key. */
async function start(size: number, crashes?: CrashPoints): Promise<World> {
  const server = await S3Server.start({ credentials, buckets: ["backups"] });
  const [restorePort = 0] = await freePorts(1);
  const etcd = await etcdTestCluster({ on: "embedded", restorePort, ...(crashes && { crashes }) });
  if (crashes !== undefined) {
    const send = globalThis.fetch;
    const crashing = crashes.fetch(send);
    // The operator's requests to the storage; members are other processes.
    vi.spyOn(globalThis, "fetch").mockImplementation((url, init) =>
      (String(url).startsWith(server.url) ? crashing : send)(url, init),
    );
  }
  const [id, key] = [credentials.accessKeyId, credentials.secretAccessKey];
  await etcd.cluster.create(Secret, {
    metadata: { name: "aws" },
    stringData: { credentials: `[default]\naws_access_key_id=${id}\naws_secret_access_key=${key}\n` },
  });
  await etcd.create("shop", { size, version: "3.6.16" });
  await etcd.converge("shop");
  await etcd.etcd.put(etcd.client("shop"), "key", "first", { signal });
  await etcd.etcd.put(etcd.client("shop"), "key", "kept", { signal });
  return {
    etcd,
    server,
    s3: { path: "backups/shop", awsSecret: "aws", endpoint: server.url, forcePathStyle: true },
    [Symbol.asyncDispose]: async () => {
      await etcd[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

async function backUp({ etcd, s3 }: World, name: string): Promise<void> {
  const { cluster } = etcd;
  const etcdEndpoints = [etcd.client("shop").url];
  await cluster.create(EtcdBackup, { metadata: { name }, spec: { etcdEndpoints, storageType: "S3", s3 } });
  await etcd.until(
    `EtcdBackup "${name}" has not succeeded`,
    async () => (await cluster.conditions(EtcdBackup, name)).Ready?.reason === "Succeeded",
  );
}

async function restore({ etcd, s3 }: World, name: string, etcdCluster: object = { name: "shop" }): Promise<void> {
  const { cluster } = etcd;
  const spec = { backupStorageType: "S3", s3, etcdCluster } as const;
  await cluster.create(EtcdRestore, {
    metadata: { name },
    spec: spec as typeof spec & { etcdCluster: { name: string } },
  });
  await etcd.until(
    `EtcdRestore "${name}" has not succeeded`,
    async () => (await cluster.conditions(EtcdRestore, name)).Ready?.reason === "Succeeded",
  );
}

/** The value, the revision and the members of a cluster. */
async function stateOf({ etcd }: World, name = "shop"): Promise<object> {
  const client = etcd.client(name);
  const { revision } = await etcd.etcd.status(client, { signal });
  return {
    value: await etcd.etcd.get(client, "key", { signal }),
    revision,
    members: (await etcd.members(name)).length,
    pods: (await etcd.pods(name)).length,
    volumes: (await etcd.volumes(name)).length,
    violations: etcd.etcd.violations,
  };
}

test("a cluster whose Pods and volumes are destroyed has its data and revision again after a restore", async () => {
  await using world = await start(3);
  const { etcd } = world;
  const before = await stateOf(world);
  await backUp(world, "nightly");
  await etcd.patch("shop", { onDataLoss: "Wait" });
  for (const { metadata } of await etcd.pods("shop")) await etcd.cluster.delete(Pod, metadata.name);
  for (const { metadata } of await etcd.volumes("shop"))
    await etcd.cluster.delete(PersistentVolumeClaim, metadata.name);
  await etcd.cluster.advance("1m", { allowFailing: true });
  await restore(world, "shop");
  expect(await stateOf(world)).toEqual(before);
  await restore(world, "copy-of-shop", { name: "shop", newName: "copy" });
  expect(await stateOf(world, "copy")).toEqual(before);
  expect(await stateOf(world)).toEqual(before);
});

test("a cluster of which nothing is left restores its newest backup by itself, and says what is lost", async () => {
  await using world = await start(3);
  const { etcd } = world;
  const before = await stateOf(world);
  await backUp(world, "nightly");
  await etcd.etcd.put(etcd.client("shop"), "key", "not in the snapshot", { signal });
  const { uid } = (await etcd.cluster.get(EtcdCluster, "shop")).metadata;
  for (const { metadata } of await etcd.pods("shop")) await etcd.cluster.delete(Pod, metadata.name);
  for (const { metadata } of await etcd.volumes("shop"))
    await etcd.cluster.delete(PersistentVolumeClaim, metadata.name);
  await etcd.until("the cluster has not been restored", async () => {
    const { metadata, status } = await etcd.cluster.get(EtcdCluster, "shop");
    return metadata.uid !== uid && status?.members?.ready?.length === 3;
  });
  await etcd.converge("shop");
  expect(await stateOf(world)).toEqual(before);
  expect((await etcd.cluster.conditions(EtcdCluster, "shop")).DataLost).toMatchObject({
    status: "True",
    reason: "RestoredFromBackup",
  });
});

/** Repeats a change with a crash before and after each write, until it needs no more writes. Returns the number of crashes. */
async function crashEverywhere(
  { etcd }: World,
  crashes: CrashPoints,
  change: (round: number) => Promise<void>,
): Promise<number> {
  for (let round = 0; ; round++) {
    crashes.arm(crashStride * Math.floor(round / 2), round % 2 === 0 ? "before" : "after");
    const { restarts } = etcd;
    await change(round);
    crashes.restart();
    if (etcd.restarts === restarts) return round;
  }
}

test("a crash of the operator before or after any write of a backup leaves one snapshot", async () => {
  const crashes = new CrashPoints();
  await using world = await start(1, crashes);
  const count = await crashEverywhere(world, crashes, async (round) => {
    world.server.objects.clear();
    await backUp(world, `backup-${round}`);
    expect([...world.server.objects.keys()], `round ${round}`).toEqual([expect.stringMatching(/^backups\/shop_v3_/)]);
  });
  process.stdout.write(`${count} crash points during a backup\n`);
  expect(count * crashStride).toBeGreaterThan(4);
});

test("a crash of the operator before or after any write of a restore leaves the same cluster", async () => {
  const crashes = new CrashPoints();
  await using world = await start(1, crashes);
  const before = await stateOf(world);
  await backUp(world, "backup");
  const count = await crashEverywhere(world, crashes, async (round) => {
    await world.etcd.etcd.put(world.etcd.client("shop"), "key", "not in the snapshot", { signal });
    await restore(world, "shop");
    expect(await stateOf(world), `round ${round}`).toEqual(before);
    await world.etcd.cluster.delete(EtcdRestore, "shop");
  });
  process.stdout.write(`${count} crash points during a restore\n`);
  expect(count * crashStride).toBeGreaterThan(20);
});
