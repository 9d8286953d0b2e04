import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "kubewright";
import { ConfigMap, Namespace } from "kubewright/k8s/core/v1";
import { expect, onTestFinished, test } from "vitest";
import { startVirtualCluster } from "../../../test/virtual-cluster.js";
import { startCluster } from "../../index.js";

const published = { namespace: "default", name: "kube-root-ca.crt" };

test("every namespace has the CA certificate of the API server, and changes to it are reverted", async () => {
  await using world = await startVirtualCluster({ nodes: 0 });
  const { client, cluster, rest } = world;
  await client.create(Namespace, { metadata: { name: "team" } });
  await rest();
  const { data } = await client.get(ConfigMap, { ...published, namespace: "team" });
  expect((await cluster.listen()).caCertificate).toBe(data?.["ca.crt"]);
  await client.patch(ConfigMap, published, { merge: { data: { "ca.crt": "wrong", more: "x" } } });
  await rest();
  expect((await client.get(ConfigMap, published)).data).toEqual(data);
  await client.delete(Namespace, "team");
  await rest();
  expect(await client.find(Namespace, "team")).toBeUndefined();
});

test("a data directory keeps the certificate authority, for any listen address", async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "kubewright-authority-"));
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  const seen: (string | undefined)[] = [];
  for (const host of ["127.0.0.1", "0.0.0.0"]) {
    await using cluster = await startCluster({ dataDir });
    seen.push((await cluster.listen({ host })).caCertificate);
  }
  await using cluster = await startCluster({ dataDir, workloads: { nodes: 0 } });
  const client = createClient(cluster.transport);
  while (!cluster.idle) await new Promise((resolve) => setImmediate(resolve));
  seen.push((await client.get(ConfigMap, published)).data?.["ca.crt"]);
  expect(new Set(seen).size).toBe(1);
});
