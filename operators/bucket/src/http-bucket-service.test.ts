import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { testCluster } from "@kubewright/testing";
import { expect, test } from "vitest";
import { bucketServer } from "./bucket-server.js";
import { BucketStore } from "./bucket-store.js";
import { Bucket, bucketOperatorFor, httpBucketService } from "./index.js";

const signal = new AbortController().signal;

async function serve() {
  const store = new BucketStore();
  const server = bucketServer(store).listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { store, url, service: httpBucketService(url), close, [Symbol.asyncDispose]: close };
}

test("buckets are created, read, changed and deleted over HTTP", async () => {
  await using server = await serve();
  const { service, store } = server;
  const owner = { namespace: "default", name: "a", uid: "1" };
  expect(await service.find("a", signal)).toBeUndefined();
  const created = await service.create({ name: "a", versioning: false, owner }, signal);
  expect(created).toEqual(await store.find("a"));
  expect(await service.create({ name: "a", versioning: false, owner }, signal)).toBeUndefined();
  expect(await service.update("a", { versioning: true }, signal)).toMatchObject({ versioning: true, owner });
  expect(await service.probe("a", signal)).toBe(true);
  store.setReadable("a", false);
  expect(await service.probe("a", signal)).toBe(false);
  store.put("a", "logo.png");
  expect(await service.delete("a", signal)).toBe("notEmpty");
  store.empty("a");
  expect(await service.delete("a", signal)).toBe("deleted");
  expect(await service.delete("a", signal)).toBe("deleted");
});

test("a service that fails, and one that is not there, are errors that name the request", async () => {
  const server = await serve();
  server.store.failure = new Error("out of disks");
  await expect(server.service.find("a", signal)).rejects.toThrow(
    /^GET http:.*\/buckets\/a failed with HTTP 503: .*out of disks/,
  );
  await server.close();
  await expect(server.service.find("a", signal)).rejects.toThrow(
    /^Cannot GET .*: the bucket service is not reachable$/,
  );
});

test("changes are a stream of owners, which fails when the server closes it", async () => {
  const server = await serve();
  const owner = { namespace: "default", name: "a", uid: "1" };
  await server.store.create({ name: "a", versioning: false, owner });
  const changes = server.service.changes(signal)[Symbol.asyncIterator]();
  let isReceived = false;
  const first = changes.next().finally(() => {
    isReceived = true;
  });
  // Until the connection is open, changes are lost: this is why the controller has `every` too.
  const changed = async (): Promise<boolean> => {
    await server.store.update("a", { versioning: true });
    return isReceived;
  };
  await expect.poll(changed).toBe(true);
  expect(await first).toEqual({ done: false, value: owner });
  await server.close();
  const rest = (async () => {
    for (let next = await changes.next(); next.done !== true; next = await changes.next());
  })();
  await expect(rest).rejects.toThrow();
});

test("the operator repairs a bucket that the server reports as changed, over HTTP", async () => {
  await using server = await serve();
  await using cluster = await testCluster(bucketOperatorFor(server.service));
  await cluster.create(Bucket, { metadata: { name: "images" }, spec: { bucketName: "images", versioning: true } });
  await cluster.settle();
  expect(await server.store.find("images")).toMatchObject({ versioning: true, owner: { name: "images" } });
  await server.store.update("images", { versioning: false });
  await expect.poll(async () => (await server.store.find("images"))?.versioning, { timeout: 10_000 }).toBe(true);
  await cluster.delete(Bucket, "images");
  await cluster.settle();
  expect(await server.store.find("images")).toBeUndefined();
});
