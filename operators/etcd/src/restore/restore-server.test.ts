import { type TestCluster, testCluster } from "@kubewright/testing";
import { controller, live, operator } from "kubewright";
import { Pod, Secret, Service } from "kubewright/k8s/core/v1";
import { afterEach, beforeEach, expect, test } from "vitest";
import { S3Server } from "../backup/testing/s3-server.js";
import { EtcdRestore } from "../resources/etcd-restore.js";
import { restoreServer, restoreUrl } from "./restore-server.js";
import { restoreToken } from "./restore-token.js";

const credentials = { accessKeyId: "EXAMPLEKEY", secretAccessKey: "example/secret+key" };
const content = Buffer.alloc(300_000, "snapshot");
let cluster: TestCluster;
let storage: S3Server;
let url: string;
let token: string;

beforeEach(async () => {
  storage = await S3Server.start({ credentials, buckets: ["backups"] });
  storage.objects.set("backups/shop_v42", content);
  let listening: (port: number) => void = () => {};
  const port = new Promise<number>((resolve) => {
    listening = resolve;
  });
  const server = restoreServer({ port: 0, onListening: listening, pod: { namespace: "default", name: "operator-1" } });
  const idle = controller(EtcdRestore, { uses: [live(Secret)], reconcile: () => {} });
  cluster = await testCluster(operator({ name: "etcd-operator", controllers: [idle], tasks: [server] }), {
    on: "embedded",
    workloads: false,
    start: false,
  });
  await cluster.create(Pod, {
    metadata: { name: "operator-1", labels: { name: "etcd-operator", "pod-template-hash": "abc" } },
    spec: { containers: [{ name: "operator", image: "x" }] },
  });
  const [id, key] = [credentials.accessKeyId, credentials.secretAccessKey];
  await cluster.create(Secret, {
    metadata: { name: "aws" },
    stringData: { credentials: `[default]\naws_access_key_id=${id}\naws_secret_access_key=${key}\n` },
  });
  const s3 = { path: "backups/shop_v42", awsSecret: "aws", endpoint: storage.url, forcePathStyle: true };
  const { metadata } = await cluster.create(EtcdRestore, {
    metadata: { name: "shop" },
    spec: { backupStorageType: "S3", s3, etcdCluster: { name: "shop" } },
  });
  await cluster.patchStatus(EtcdRestore, "shop", { merge: { status: { snapshot: "shop_v42" } } });
  await cluster.startOperator();
  const place = { namespace: "default", name: "shop" };
  url = restoreUrl(`http://127.0.0.1:${await port}`, place);
  token = restoreToken(credentials.secretAccessKey, metadata.uid);
});

afterEach(async () => {
  await cluster[Symbol.asyncDispose]();
  await storage[Symbol.asyncDispose]();
});

const get = (path = url, bearer = token) => fetch(path, { headers: { authorization: `Bearer ${bearer}` } });

test("a snapshot is served to the holder of the token, until the restore has ended", async () => {
  const response = await get();
  expect(response.status).toBe(200);
  expect(Buffer.from(await response.arrayBuffer()).equals(content)).toBe(true);
  await cluster.patchStatus(EtcdRestore, "shop", { merge: { status: { succeeded: true } } });
  expect((await get()).status).toBe(410);
});

test("requests without the token, or for anything else, are rejected", async () => {
  const authorization = `Bearer ${token}`;
  expect((await get(url, "wrong")).status).toBe(401);
  expect((await fetch(url)).status).toBe(401);
  expect((await get(`${url}-other`)).status).toBe(404);
  expect((await get(url.replace("/v1/", "/v2/"))).status).toBe(404);
  expect((await fetch(url, { method: "DELETE", headers: { authorization } })).status).toBe(404);
});

test("a storage that fails is reported", async () => {
  storage.objects.clear();
  const response = await get();
  expect([response.status, await response.text()]).toEqual([503, expect.stringContaining("The object does not exist")]);
});

test("the Service routes to the Pods of the operator's Deployment", async () => {
  expect(await cluster.get(Service, "etcd-restore-operator")).toMatchObject({
    spec: { selector: { name: "etcd-operator" }, ports: [{ port: 19_999 }] },
  });
});
