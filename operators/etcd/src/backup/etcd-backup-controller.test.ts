import { createHash } from "node:crypto";
import { type TestCluster, type TestClusterOptions, testCluster } from "@kubewright/testing";
import { operator } from "kubewright";
import { Pod, Secret } from "kubewright/k8s/core/v1";
import { afterEach, expect, test } from "vitest";
import { EtcdError, type EtcdMembers } from "../members/etcd-members.js";
import { EtcdBackup } from "../resources/etcd-backup.js";
import { etcdBackupController } from "./etcd-backup-controller.js";
import { S3Server, type S3ServerOptions } from "./testing/s3-server.js";

const credentials = { accessKeyId: "EXAMPLEKEY", secretAccessKey: "example/secret+key" };
const resources: AsyncDisposable[] = [];

afterEach(async () => {
  for (const resource of resources.splice(0).reverse()) await resource[Symbol.asyncDispose]();
});

/** Members that answer what a backup asks, by URL. */
class FakeMembers {
  readonly revisions = new Map<string, bigint>([["http://shop-client:2379", 7n]]);
  readonly snapshots: string[] = [];
  /** Called before a snapshot is sent. */
  beforeSnapshot: (signal: AbortSignal) => Promise<void> = async () => {};

  readonly status = async ({ url }: { readonly url: string }) => {
    const revision = this.revisions.get(url);
    if (revision === undefined) throw new EtcdError("unavailable", "connection refused");
    return { version: "3.6.16", revision };
  };

  readonly snapshot = async function* (
    this: FakeMembers,
    { url }: { url: string },
    { signal }: { signal: AbortSignal },
  ) {
    this.snapshots.push(url);
    await this.beforeSnapshot(signal);
    const database = Buffer.alloc(1_024, `revision ${this.revisions.get(url)}`);
    yield database;
    yield createHash("sha256").update(database).digest();
  }.bind(this);
}

interface World {
  readonly cluster: TestCluster;
  readonly members: FakeMembers;
  readonly server: S3Server;
  stored(): readonly string[];
}

/** What a real control plane would only repeat, in seconds for each step. */
const embedded = { on: "embedded" } as const;

async function start({
  on,
  ...options
}: Partial<S3ServerOptions> & Pick<TestClusterOptions, "on"> = {}): Promise<World> {
  const server = await S3Server.start({ credentials, buckets: ["backups"], ...options });
  resources.push(server);
  const members = new FakeMembers();
  const etcd = members as unknown as EtcdMembers;
  const cluster = await testCluster(
    operator({
      name: "etcd-operator",
      controllers: [etcdBackupController({ etcd, image: async () => "example.com/operator:1" })],
    }),
    { workloads: false, ...(on && { on }) },
  );
  resources.push(cluster);
  await cluster.create(Secret, {
    metadata: { name: "aws" },
    stringData: {
      credentials: `[default]\naws_access_key_id = ${credentials.accessKeyId}\naws_secret_access_key = ${credentials.secretAccessKey}\n`,
      config: "[default]\nregion = us-east-1\n",
    },
  });
  return { cluster, members, server, stored: () => [...server.objects.keys()].sort() };
}

async function create({ cluster, server }: World, spec: Record<string, unknown> = {}): Promise<void> {
  await cluster.create(EtcdBackup, {
    metadata: { name: "shop" },
    spec: {
      etcdEndpoints: ["http://shop-client:2379"],
      storageType: "S3",
      s3: { path: "backups/shop", awsSecret: "aws", endpoint: server.url, forcePathStyle: true },
      ...spec,
    },
  });
  await cluster.settle();
}

const ready = async ({ cluster }: World) => (await cluster.conditions(EtcdBackup, "shop")).Ready;
const statusOf = async ({ cluster }: World) => (await cluster.get(EtcdBackup, "shop")).status;

test("a backup without an interval is taken once, and its status says what was stored", async () => {
  const world = await start();
  await create(world);
  const [name = ""] = world.stored();
  expect(name).toMatch(/^backups\/shop_v7_\d{4}-\d{2}-\d{2}-\d{2}:\d{2}:\d{2}$/);
  expect(world.server.objects.get(name)?.length).toBe(1_024 + 32);
  expect(await statusOf(world)).toMatchObject({
    succeeded: true,
    etcdVersion: "3.6.16",
    etcdRevision: 7,
    lastSuccessDate: expect.any(String),
    backups: [name.slice("backups/".length)],
  });
  expect(await ready(world)).toMatchObject({ status: "True", reason: "Succeeded" });
  await world.cluster.advance("1h");
  await world.cluster.patch(EtcdBackup, "shop", { merge: { spec: { backupPolicy: { maxBackups: 3 } } } });
  await world.cluster.settle();
  expect(world.members.snapshots).toHaveLength(1);
});

test("the endpoint with the highest revision is used, and one that cannot be reached is left out", async () => {
  const world = await start(embedded);
  world.members.revisions.set("http://one:2379", 8n).set("http://two:2379", 12n).set("http://three:2379", 9n);
  await create(world, { etcdEndpoints: ["one", "gone", "two", "three"].map((host) => `http://${host}:2379`) });
  expect(world.members.snapshots).toEqual(["http://two:2379"]);
  expect(await statusOf(world)).toMatchObject({ etcdRevision: 12 });
});

test("a periodic backup is repeated, and the oldest snapshots above maxBackups are deleted", async () => {
  const world = await start();
  world.server.objects.set("backups/shop_v1_2001-01-01-00:00:00", Buffer.from("old"));
  world.server.objects.set("backups/shop-other", Buffer.from("not a snapshot of this path"));
  await create(world, { backupPolicy: { backupIntervalInSecond: 3_600, maxBackups: 2 } });
  expect(world.stored()).toHaveLength(3);
  for (const revision of [8n, 9n]) {
    world.members.revisions.set("http://shop-client:2379", revision);
    await world.cluster.advance("1h");
  }
  expect(world.stored().map((name) => name.split("_")[1])).toEqual([undefined, "v8", "v9"]);
  expect((await statusOf(world))?.backups).toHaveLength(2);
});

test("a periodic backup has a finalizer until it is deleted", async () => {
  const world = await start();
  await create(world, { backupPolicy: { backupIntervalInSecond: 3_600 } });
  const { metadata } = await world.cluster.get(EtcdBackup, "shop");
  expect(metadata.finalizers).toEqual(["backup-operator-periodic"]);
  await world.cluster.delete(EtcdBackup, "shop");
  await world.cluster.settle();
  expect(await world.cluster.find(EtcdBackup, "shop")).toBeUndefined();
  expect(world.stored()).toHaveLength(1);
});

test("a failed attempt is repeated with longer delays, and the snapshot has the date of the first one", async () => {
  const world = await start(embedded);
  world.members.revisions.clear();
  await create(world);
  expect(await ready(world)).toMatchObject({ status: "False", reason: "Running" });
  expect(await statusOf(world)).toMatchObject({
    succeeded: false,
    Reason: "No endpoint of etcd can be reached: http://shop-client:2379: connection refused",
  });
  await world.cluster.advance("1m");
  expect((await statusOf(world))?.failedAttempts).toBeGreaterThan(4);
  world.members.revisions.set("http://shop-client:2379", 7n);
  await world.cluster.advance("2m");
  const status = await statusOf(world);
  expect(status).toMatchObject({ succeeded: true });
  expect(status?.failedAttempts).toBeUndefined();
  expect(status?.Reason).toBeUndefined();
  const date = status?.lastExecutionDate?.slice(0, 19).replace("T", "-");
  expect(world.stored()).toEqual([`backups/shop_v7_${date}`]);
});

test("a backup is given up after 15 retries, and a condition says why", async () => {
  const world = await start({ ...embedded, buckets: ["other"] });
  await create(world);
  await world.cluster.advance("2h");
  expect(await ready(world)).toMatchObject({
    status: "False",
    reason: "Failed",
    message: expect.stringMatching(/^Given up after 16 attempts: The bucket does not exist: PUT backups\/shop_v7/),
  });
  expect(world.server.requests).toHaveLength(16);
  await world.cluster.advance("24h");
  expect(world.server.requests).toHaveLength(16);
});

test("a periodic backup that was given up is tried again at the next interval", async () => {
  const world = await start(embedded);
  world.members.revisions.clear();
  await create(world, { backupPolicy: { backupIntervalInSecond: 86_400 } });
  await world.cluster.advance("23h");
  expect(await ready(world)).toMatchObject({ reason: "Failed" });
  world.members.revisions.set("http://shop-client:2379", 7n);
  await world.cluster.advance("2h");
  expect(await ready(world)).toMatchObject({ reason: "Succeeded" });
});

test("a missing Secret is reported, and used once it exists", async () => {
  const world = await start(embedded);
  await create(world, { clientTLSSecret: "client-tls", backupPolicy: { backupIntervalInSecond: 0 } });
  expect((await statusOf(world))?.Reason).toBe('Secret "client-tls" does not exist');
  const files = { "etcd-client-ca.crt": "ca", "etcd-client.crt": "cert", "etcd-client.key": "key" };
  await world.cluster.create(Secret, { metadata: { name: "client-tls" }, stringData: files });
  await world.cluster.advance("1m");
  expect(await ready(world)).toMatchObject({ reason: "Succeeded" });
});

test("a Secret of the storage that is missing or not complete is reported, and waited for", async () => {
  const world = await start(embedded);
  const s3 = { path: "backups/shop", awsSecret: "later", endpoint: world.server.url, forcePathStyle: true };
  await create(world, { s3 });
  expect(await ready(world)).toMatchObject({ reason: "SecretMissing", message: 'Secret "later" does not exist' });
  await world.cluster.create(Secret, { metadata: { name: "later" }, stringData: { credentials: "[other]\n" } });
  await world.cluster.advance("1m");
  expect(await ready(world)).toMatchObject({
    reason: "SecretMissing",
    message: expect.stringContaining("aws_access_key_id"),
  });
  const { data = {} } = await world.cluster.get(Secret, "aws");
  await world.cluster.patch(Secret, "later", { merge: { data } });
  await world.cluster.advance("1m");
  expect(await ready(world)).toMatchObject({ reason: "Succeeded" });
});

test("the storage types of other providers are rejected with the remedy", async () => {
  const world = await start(embedded);
  const sources = {
    abs: { path: "a/b", absSecret: "x" },
    gcs: { path: "a/b", gcpSecret: "x" },
    oss: { path: "a/b", ossSecret: "x" },
  };
  for (const storageType of ["ABS", "GCS", "OSS"]) {
    await create(world, { storageType, ...sources });
    expect(await ready(world)).toMatchObject({
      reason: "StorageNotSupported",
      message: expect.stringContaining(`Storage type ${storageType} is not supported: use S3`),
    });
    await world.cluster.delete(EtcdBackup, "shop");
  }
  expect(world.members.snapshots).toEqual([]);
});

test("an operator that restarts during a backup repeats it with the same date", async () => {
  const world = await start(embedded);
  const { members, cluster } = world;
  const begun = new Promise<void>((resolve) => {
    members.beforeSnapshot = (signal) => {
      resolve();
      return new Promise((_, reject) => signal.addEventListener("abort", () => reject(new Error("closed"))));
    };
  });
  const created = create(world);
  await begun;
  const date = (await statusOf(world))?.lastExecutionDate;
  await cluster.stopOperator();
  await created;
  members.beforeSnapshot = async () => {};
  await cluster.startOperator();
  await cluster.advance("5m");
  expect(await statusOf(world)).toMatchObject({ succeeded: true, lastExecutionDate: date });
  expect(world.stored()).toHaveLength(1);
});

const volume = {
  storageType: "PersistentVolumeClaim",
  persistentVolumeClaim: { claimName: "backups", path: "shop/etcd" },
  clientTLSSecret: "client-tls",
};

async function podsOf({ cluster }: World) {
  const pods = [];
  for await (const pod of cluster.list(Pod)) pods.push(pod);
  return pods;
}

async function onlyPod(world: World) {
  const pods = await podsOf(world);
  expect(pods).toHaveLength(1);
  return pods[0];
}

/** What a kubelet reports of a Pod that has ended. */
async function end(world: World, phase: "Succeeded" | "Failed", message: string): Promise<void> {
  const pod = await onlyPod(world);
  const at = new Date(world.cluster.clock.now()).toISOString();
  const terminated = { exitCode: phase === "Failed" ? 1 : 0, message, startedAt: at, finishedAt: at };
  const status = { name: "backup", image: "x", imageID: "x", ready: false, restartCount: 0, state: { terminated } };
  await world.cluster.patchStatus(Pod, pod?.metadata.name ?? "", {
    merge: { status: { phase, containerStatuses: [status] } },
  });
  await world.cluster.settle();
}

test("a backup into a PersistentVolumeClaim is taken by a Pod that mounts it", async () => {
  const world = await start();
  await create(world, volume);
  const pod = await onlyPod(world);
  const [container] = pod?.spec?.containers ?? [];
  expect(container).toMatchObject({ image: "example.com/operator:1", command: ["etcd-operator", "save-snapshot"] });
  expect(JSON.parse(container?.env?.[0]?.value ?? "")).toMatchObject({
    endpoints: ["http://shop-client:2379"],
    folder: "/var/backup",
    path: "shop/etcd",
    tlsFolder: "/etc/etcdtls/operator/etcd-tls",
  });
  expect(pod?.spec?.volumes?.map(({ name }) => name)).toEqual(["backup", "tls"]);
  const name = "shop/etcd_v3_2026-11-19-22:41:07";
  await end(world, "Succeeded", JSON.stringify({ name, revision: "3", etcdVersion: "3.5.35", backups: [name] }));
  expect(await statusOf(world)).toMatchObject({ succeeded: true, etcdRevision: 3, backups: [name] });
  expect(await world.cluster.find(Pod, pod?.metadata.name ?? "")).toBeUndefined();
});

test("a Pod that fails is replaced by one for the next attempt, after its delay", async () => {
  const world = await start(embedded);
  await create(world, volume);
  const first = await onlyPod(world);
  await end(world, "Failed", "no space left on device");
  expect((await statusOf(world))?.Reason).toBe("no space left on device");
  expect((await onlyPod(world))?.metadata.name).not.toBe(first?.metadata.name);
  for (let attempt = 2; attempt <= 5; attempt++) await end(world, "Failed", "no space left on device");
  expect(await podsOf(world)).toEqual([]); // the next attempt begins after 16 s
  await world.cluster.advance("16s");
  expect(await podsOf(world)).toHaveLength(1);
});

test("a Pod that does not start is given up", async () => {
  const world = await start(embedded);
  await create(world, volume);
  await world.cluster.advance("4m");
  expect((await statusOf(world))?.Reason).toMatch(/^Pod "shop-\w+" has not ended after \d+ s: /);
});
