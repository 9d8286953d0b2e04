import { fileURLToPath } from "node:url";
import { PermissionLog, type TestCluster, testCluster } from "@kubewright/testing";
import { isInvalid } from "kubewright";
import { Event } from "kubewright/k8s/events/v1";
import { expect, test } from "vitest";
import { BucketStore } from "./bucket-store.js";
import { Bucket, bucketOperatorFor } from "./index.js";

const samples = fileURLToPath(new URL("../samples", import.meta.url));

async function start({ permissions = new PermissionLog() } = {}) {
  const store = new BucketStore();
  const operator = bucketOperatorFor(store);
  const cluster = await testCluster(operator, { manifests: [samples], permissions });
  await cluster.settle();
  const name = `${cluster.namespace}-images`;
  const ready = async () => (await cluster.conditions(Bucket, "images")).Ready;
  return { store, operator, cluster, name, ready };
}

async function reasons(cluster: TestCluster): Promise<string[]> {
  const found: string[] = [];
  for await (const { type, reason, regarding } of cluster.list(Event))
    found.push(`${regarding?.name} ${type} ${reason}`);
  return found.sort();
}

test("a Bucket gets a bucket at the service, and is Ready with its URL", async () => {
  const { cluster, store, name, ready } = await start();
  await using _ = cluster;
  const bucket = await store.find(name);
  const { metadata, status } = await cluster.get(Bucket, "images");
  expect(bucket).toMatchObject({ versioning: true, owner: { name: "images", uid: metadata.uid } });
  expect(status).toMatchObject({ id: bucket?.id, bucketName: name, url: bucket?.url });
  expect(await ready()).toMatchObject({ status: "True", reason: "Available" });
  expect(metadata.finalizers).toHaveLength(1);
});

test("a bucket that was changed at the service is repaired when the service reports it, without waiting for the next check", async () => {
  const { cluster, store, name } = await start();
  await using _ = cluster;
  await store.update(name, { versioning: false });
  await cluster.settle();
  expect((await store.find(name))?.versioning).toBe(true);
  expect(cluster.runs(Bucket, "images").at(-2)?.causes).toMatchObject([{ source: "events" }]);
  expect(await reasons(cluster)).toContain("images Normal BucketRepaired");
});

test("a bucket that was deleted at the service is created again, and a Warning is recorded", async () => {
  const { cluster, store, name } = await start();
  await using _ = cluster;
  const before = await store.find(name);
  await store.delete(name);
  await cluster.settle();
  const after = await store.find(name);
  expect(after?.id).not.toBe(before?.id);
  expect((await cluster.get(Bucket, "images")).status?.id).toBe(after?.id);
  expect(await reasons(cluster)).toContain("images Warning BucketLost");
});

test("a bucket whose content cannot be read is not Ready", async () => {
  const { cluster, store, name, ready } = await start();
  await using _ = cluster;
  store.setReadable(name, false);
  await cluster.settle();
  expect(await ready()).toMatchObject({ status: "False", reason: "NotReadable" });
  store.setReadable(name, true);
  await cluster.settle();
  expect(await ready()).toMatchObject({ status: "True" });
});

test("a bucket of another owner is not touched, and the conflict names the owner", async () => {
  const { cluster, store } = await start();
  await using _ = cluster;
  const owner = { namespace: "other", name: "theirs", uid: "1" };
  await store.create({ name: "shared", versioning: true, owner });
  await cluster.create(Bucket, { metadata: { name: "ours" }, spec: { bucketName: "shared", adopt: true } });
  await cluster.settle();
  expect((await cluster.conditions(Bucket, "ours")).Ready).toMatchObject({
    reason: "NameTaken",
    message: 'A bucket "shared" exists and belongs to Bucket "other/theirs": choose another spec.bucketName',
  });
  expect(await store.find("shared")).toMatchObject({ versioning: true, owner });
  // The object can be deleted, and the bucket of the other owner stays.
  await cluster.delete(Bucket, "ours");
  await cluster.settle();
  expect(await cluster.find(Bucket, "ours")).toBeUndefined();
  expect(await store.find("shared")).toMatchObject({ owner });
});

test("a bucket without an owner is taken over only with spec.adopt", async () => {
  const { cluster, store } = await start();
  await using _ = cluster;
  await store.create({ name: "legacy", versioning: true, owner: null });
  await cluster.create(Bucket, { metadata: { name: "old" }, spec: { bucketName: "legacy" } });
  await cluster.settle();
  expect((await cluster.conditions(Bucket, "old")).Ready?.message).toBe(
    'A bucket "legacy" exists and has no owner: set spec.adopt to take it over, or choose another spec.bucketName',
  );
  await cluster.patch(Bucket, "old", { merge: { spec: { adopt: true } } });
  await cluster.settle();
  expect((await cluster.conditions(Bucket, "old")).Ready?.reason).toBe("Available");
  expect(await store.find("legacy")).toMatchObject({ versioning: false, owner: { name: "old" } });
});

test("the bucket of a deleted object is deleted, once it is empty", async () => {
  const { cluster, store, name } = await start();
  await using _ = cluster;
  store.put(name, "logo.png");
  await cluster.delete(Bucket, "images");
  await cluster.settle();
  expect((await cluster.conditions(Bucket, "images")).Ready?.reason).toBe("NotEmpty");
  expect(await reasons(cluster)).toContain("images Warning BucketNotEmpty");
  store.empty(name);
  await cluster.advance("1m");
  expect(await store.find(name)).toBeUndefined();
  expect(await cluster.find(Bucket, "images")).toBeUndefined();
});

test("the deletion policy Retain keeps the bucket, without an owner", async () => {
  const { cluster, store, name } = await start();
  await using _ = cluster;
  await cluster.patch(Bucket, "images", { merge: { spec: { deletionPolicy: "Retain" } } });
  await cluster.delete(Bucket, "images");
  await cluster.settle();
  expect(await cluster.find(Bucket, "images")).toBeUndefined();
  expect(await store.find(name)).toMatchObject({ owner: null });
});

test("a service that is down is tried again with backoff, and a change in that time is found by the next check", async () => {
  const { cluster, store, name, ready } = await start();
  await using _ = cluster;
  store.failure = new Error("The bucket service is down");
  await cluster.patch(Bucket, "images", { merge: { spec: { versioning: false } } });
  await cluster.settle({ allowFailing: true });
  expect(cluster.running?.failing()).toMatchObject([{ error: { message: "The bucket service is down" } }]);
  store.failure = undefined;
  await cluster.advance("10m");
  expect((await store.find(name))?.versioning).toBe(false);
  expect((await ready())?.reason).toBe("Available");
});

test("spec.bucketName cannot change", async () => {
  const { cluster } = await start();
  await using _ = cluster;
  const renamed = cluster.patch(Bucket, "images", { merge: { spec: { bucketName: "other" } } });
  const error = await renamed.catch((reason: unknown) => reason);
  expect(isInvalid(error) && error.status.message).toContain("a bucket cannot be renamed");
});

test("the operator uses exactly the permissions of its role", async () => {
  const permissions = new PermissionLog();
  const { cluster, operator } = await start({ permissions });
  await using _ = cluster;
  await cluster.delete(Bucket, "images");
  await cluster.settle();
  permissions.check(operator.rules(), {
    neverUsed: [
      "patch events.events.k8s.io", // for repeats
      "get buckets.storage.example.com", // after a conflict
    ],
  });
});
