/** The data directory: acknowledged writes survive a restart, and an unusable directory is rejected. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Cluster, parseSnapshot, startCluster } from "@kubewright/cluster";
import { afterEach, beforeEach, expect, test } from "vitest";
import { LmdbJournal } from "../src/storage/index.js";
import { configMaps, definitions, type Loose, sample, sampleDefinition, samples } from "./test-cluster.js";

let folder: string;
let running: Cluster | undefined;
beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), "kubewright-data-")), "data");
});
afterEach(async () => {
  await running?.close();
  running = undefined;
  rmSync(join(folder, ".."), { recursive: true });
});

async function start(): Promise<Cluster> {
  running = await startCluster({ dataDir: folder });
  return running;
}

async function restart(): Promise<Cluster> {
  await running?.close();
  return start();
}

async function send(
  cluster: Cluster,
  method: "GET" | "POST" | "PUT" | "DELETE" | "PATCH",
  path: string,
  body?: unknown,
) {
  const [plain = "", query = ""] = path.split("?");
  const { status, body: response } = await cluster.transport.send({
    method,
    path: plain,
    query: Object.fromEntries(new URLSearchParams(query)),
    ...(body === undefined ? {} : { body }),
    ...(method === "PATCH" && { headers: { "content-type": "application/merge-patch+json" } }),
  });
  return { status, body: response as Loose };
}

test("objects, CRDs and the revision survive a restart, and deleted objects do not", async () => {
  let cluster = await start();
  await send(cluster, "POST", definitions, sampleDefinition());
  await send(cluster, "POST", samples, sample("a", { testString: "é\u2028" }));
  await send(cluster, "POST", configMaps, { metadata: { name: "gone" } });
  await send(cluster, "DELETE", `${configMaps}/gone`);
  const before = await send(cluster, "GET", `${samples}/a`);
  const { revision } = cluster;
  cluster = await restart();
  expect(cluster.revision).toBe(revision);
  expect(await send(cluster, "GET", `${samples}/a`)).toEqual(before);
  expect((await send(cluster, "GET", `${configMaps}/gone`)).status).toBe(404);
  const next = await send(cluster, "POST", samples, sample("b"));
  expect(Number(next.body.metadata.resourceVersion)).toBe(revision + 1);
  expect((await send(cluster, "GET", "/api/v1/namespaces")).body.items).toHaveLength(4);
});

test("integers beyond 2^53 survive a restart", async () => {
  const revisions = "/apis/apps/v1/namespaces/default/controllerrevisions";
  const body = { metadata: { name: "a" }, revision: 9007199254740993n, data: { ends: [2n ** 63n - 1n, -(2n ** 63n)] } };
  const { body: before } = await send(await start(), "POST", revisions, body);
  const { body: after } = await send(await restart(), "GET", `${revisions}/a`);
  expect(after).toEqual(before);
  expect(after).toMatchObject({ revision: body.revision, data: body.data });
});

test("a folder with CEL rules that would be rejected now is served: objects are read, and a CRD with a fixed rule accepts them again", async () => {
  let cluster = await start();
  const ruled = (rule: string) => ({
    schema: {
      openAPIV3Schema: {
        type: "object",
        properties: {
          testString: { type: "string", "x-kubernetes-validations": [{ rule }] },
          list: {
            type: "array",
            items: { type: "string", "x-kubernetes-validations": [{ rule: "self.matches('^a+$')" }] },
            maxItems: 3,
          },
        },
      },
    },
  });
  await send(cluster, "POST", definitions, sampleDefinition(ruled("self != 'placeholder'")));
  await send(cluster, "POST", samples, sample("a", { testString: "x", list: ["aa"] }));
  // As an earlier version stored them: one rule does not compile, the other is too expensive without limits.
  const text = String(cluster.snapshot())
    .replace("self != 'placeholder'", "self.length < 3")
    .replace('"maxItems":3', '"description":"unlimited"');
  await cluster.restore(parseSnapshot(text));
  cluster = await restart();

  expect((await send(cluster, "GET", `${samples}/a`)).body).toMatchObject({ testString: "x", list: ["aa"] });
  const rejected = await send(cluster, "PATCH", `${samples}/a`, { testString: "y" });
  expect(rejected.status).toBe(422);
  expect(rejected.body.message).toContain(
    'testString: Invalid value: "string": rule compile error: compilation failed',
  );
  expect((await send(cluster, "PATCH", `${samples}/a`, { list: ["b"] })).body.message).toContain(
    "failed rule: self.matches",
  );
  const stored = await send(cluster, "GET", `${definitions}/samples.example.com`);
  const fixed = JSON.parse(
    JSON.stringify(stored.body)
      .replace("self.length < 3", "size(self) < 3")
      .replace('"description":"unlimited"', '"maxItems":3'),
  );
  expect((await send(cluster, "PUT", `${definitions}/samples.example.com`, fixed)).status).toBe(200);
  expect((await send(cluster, "PATCH", `${samples}/a`, { testString: "y" })).status).toBe(200);
  expect((await send(cluster, "PATCH", `${samples}/a`, { testString: "yyy" })).status).toBe(422);
});

test("a write that cannot be persisted fails with status 500, and the process survives", async () => {
  const cluster = await start();
  const { whenDurable } = LmdbJournal.prototype;
  // Not a spy of vitest: that would handle the rejections, and an unhandled one must fail the run.
  LmdbJournal.prototype.whenDurable = () => Promise.reject(new Error("no space left on device"));
  try {
    const { status } = await send(cluster, "POST", configMaps, { metadata: { name: "lost" } });
    expect(status).toBe(500);
  } finally {
    LmdbJournal.prototype.whenDurable = whenDurable;
  }
});

test("resourceVersions from before a restart have expired", async () => {
  let cluster = await start();
  for (const name of ["a", "b", "c"]) await send(cluster, "POST", configMaps, { metadata: { name } });
  const page = await send(cluster, "GET", `${configMaps}?limit=1`);
  await send(cluster, "POST", configMaps, { metadata: { name: "d" } });
  cluster = await restart();
  const token = page.body.metadata.continue;
  expect((await send(cluster, "GET", `${configMaps}?limit=1&continue=${token}`)).body).toMatchObject({ code: 410 });
  const query = { watch: "true", resourceVersion: page.body.metadata.resourceVersion };
  const watch = await cluster.transport.stream({ method: "GET", path: configMaps, query });
  const events = watch.kind === "stream" ? watch.items[Symbol.asyncIterator]() : undefined;
  expect((await events?.next())?.value).toMatchObject({ type: "ERROR", object: { code: 410, reason: "Expired" } });
});

test("deletions in progress continue after a restart", async () => {
  let cluster = await start();
  await send(cluster, "POST", "/api/v1/namespaces", { metadata: { name: "leaving" } });
  const path = "/api/v1/namespaces/leaving/configmaps";
  await send(cluster, "POST", path, { metadata: { name: "held", finalizers: ["x.io/hold"] } });
  await send(cluster, "DELETE", "/api/v1/namespaces/leaving");
  cluster = await restart();
  await send(cluster, "PATCH", `${path}/held`, { metadata: { finalizers: null } });
  expect((await send(cluster, "GET", "/api/v1/namespaces/leaving")).status).toBe(404);
});

test("ownerReferences are honoured after a restart", async () => {
  let cluster = await start();
  const owner = await send(cluster, "POST", configMaps, { metadata: { name: "owner" } });
  const { uid } = owner.body.metadata;
  const ownerReferences = [{ apiVersion: "v1", kind: "ConfigMap", name: "owner", uid }];
  await send(cluster, "POST", configMaps, { metadata: { name: "owned", ownerReferences } });
  cluster = await restart();
  await send(cluster, "DELETE", `${configMaps}/owner`);
  expect((await send(cluster, "GET", `${configMaps}/owned`)).status).toBe(404);
});

test("a kubeconfig stays valid across restarts", async () => {
  const first = await (await start()).listen();
  const second = await (await restart()).listen();
  const port = /127\.0\.0\.1:\d+/;
  expect(second.kubeconfig.replace(port, "")).toBe(first.kubeconfig.replace(port, ""));
  expect(second.adminToken).toBe(first.adminToken);
});

test("watchers and readers see a write only once it is on disk", async () => {
  const cluster = await start();
  const watch = await cluster.transport.stream({ method: "GET", path: configMaps, query: { watch: "true" } });
  const events = watch.kind === "stream" ? watch.items[Symbol.asyncIterator]() : undefined;
  const seen: string[] = [];
  const event = events?.next().then(() => seen.push("event"));
  const write = send(cluster, "POST", configMaps, { metadata: { name: "a" } }).then(() => seen.push("write"));
  expect(cluster.idle).toBe(false);
  await Promise.resolve();
  expect(seen).toEqual([]);
  await Promise.all([event, write]);
  expect(seen.toSorted()).toEqual(["event", "write"]);
});

test("a second cluster on the same directory is rejected until the first is closed", async () => {
  await start();
  await expect(startCluster({ dataDir: folder })).rejects.toMatchObject({
    code: "CLUSTER_START_FAILED",
    message: `Cannot use data folder "${folder}": the cluster of process ${process.pid} is using it`,
  });
  await restart();
});

test("the lock of a dead process is ignored", async () => {
  await start();
  await running?.close();
  writeFileSync(join(folder, "lock"), JSON.stringify({ pid: process.pid, startTime: "0" }));
  await start();
});

test.each([
  ["files of another application", () => writeFileSync(join(folder, "notes.txt"), "mine"), /it holds other files/],
  [
    "the format marker of a newer version",
    () => writeFileSync(join(folder, "kubewright-data.json"), '{"format":"kubewright-data","version":2}'),
    /it has format 2, but this version reads format 1/,
  ],
  [
    "an invalid format marker",
    () => writeFileSync(join(folder, "kubewright-data.json"), "{"),
    /"kubewright-data.json" is damaged/,
  ],
])("a directory with %s is rejected", async (_, fill, message) => {
  mkdirSync(folder);
  fill();
  await expect(startCluster({ dataDir: folder })).rejects.toThrow(message);
});

test.each([
  ["was truncated", (file: string) => truncateSync(file, statSync(file).size - 4096), /its database is truncated/],
  ["is another file", (file: string) => writeFileSync(file, "x".repeat(10_000)), /its database is not an LMDB file/],
  [
    "has a modified object",
    (file: string) => {
      const bytes = readFileSync(file);
      for (let at = bytes.indexOf("needle"); at >= 0; at = bytes.indexOf("needle", at + 1)) bytes.write("NEEDLE", at);
      writeFileSync(file, bytes);
    },
    /its database is damaged: the checksum of an object does not match/,
  ],
])("a database that %s is rejected, and the directory is unlocked", async (_, spoil, message) => {
  const cluster = await start();
  await send(cluster, "POST", configMaps, { metadata: { name: "a" }, data: { k: "needle" } });
  await cluster.close();
  spoil(join(folder, "objects", "data.mdb"));
  await expect(startCluster({ dataDir: folder })).rejects.toThrow(message);
  await expect(startCluster({ dataDir: folder })).rejects.toThrow(message);
});

test("a directory that cannot be created fails the start with CLUSTER_START_FAILED", async () => {
  writeFileSync(join(folder, "..", "file"), "");
  for (const dataDir of [join(folder, "..", "file", "data"), "/proc/nothing/data"])
    await expect(startCluster({ dataDir })).rejects.toMatchObject({ code: "CLUSTER_START_FAILED" });
});
