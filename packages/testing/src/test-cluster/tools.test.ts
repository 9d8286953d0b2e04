import { readFile } from "node:fs/promises";
import { ApiError } from "@kubewright/core/errors";
import type { Transport } from "@kubewright/core/transport";
import { controller, createClient, defineResource, operator, z } from "kubewright";
import { Deployment } from "kubewright/k8s/apps/v1";
import { ConfigMap, Pod } from "kubewright/k8s/core/v1";
import { HttpsTransport, loadConnection } from "kubewright/transport";
import { expect, test } from "vitest";
import { type TestCluster, testCluster } from "./index.js";

const Site = defineResource({
  group: "example.com",
  kind: "Site",
  versions: { v1: { spec: z.object({ image: z.string().default("web:1") }) } },
});
const labels = { app: "web" };
const sites = operator({
  name: "sites",
  controllers: [
    controller(Site, {
      owns: [Deployment],
      reconcile: async ({ object: { metadata, spec }, apply }) => {
        const template = { metadata: { labels }, spec: { containers: [{ name: "web", image: spec.image }] } };
        await apply(Deployment, {
          metadata: { name: metadata.name },
          spec: { selector: { matchLabels: labels }, template },
        });
      },
    }),
  ],
});
const copies = operator({
  name: "copies",
  controllers: [
    controller(Deployment, {
      owns: [ConfigMap],
      reconcile: async ({ object: { metadata, spec }, apply }) =>
        void (await apply(ConfigMap, { metadata: { name: metadata.name }, data: { replicas: String(spec.replicas) } })),
    }),
  ],
});

async function podNames(cluster: TestCluster): Promise<string[]> {
  const names: string[] = [];
  for await (const { metadata } of cluster.list(Pod)) names.push(`${metadata.name} ${metadata.uid}`);
  return names;
}

test("several operators run in one cluster, and each can be stopped", async () => {
  await using cluster = await testCluster([sites, copies]);
  await cluster.create(Site, { metadata: { name: "shop" } });
  await cluster.settle();
  expect((await cluster.get(ConfigMap, "shop")).data).toEqual({ replicas: "1" });
  await cluster.stopOperator("copies");
  expect([...cluster.runningOperators.keys()]).toEqual(["sites"]);
  await cluster.delete(ConfigMap, "shop");
  await cluster.settle();
  expect(await cluster.find(ConfigMap, "shop")).toBeUndefined();
  await cluster.startOperator();
  await cluster.settle();
  expect((await cluster.get(ConfigMap, "shop")).data).toEqual({ replicas: "1" });
  await expect(cluster.stopOperator("none")).rejects.toThrow('no operator "none", only "sites", "copies"');
});

test("a snapshot brings back all objects with uids, CRDs included, and deletes later ones", async () => {
  await using cluster = await testCluster(sites, { workloads: true });
  await cluster.create(Site, { metadata: { name: "shop" } });
  await cluster.settle();
  const before = await podNames(cluster);
  const { metadata } = await cluster.get(Site, "shop");
  const snapshot = await cluster.snapshot();

  await cluster.patch(Site, "shop", { merge: { spec: { image: "web:2" } } });
  await cluster.create(Site, { metadata: { name: "late" } });
  await cluster.settle();
  await cluster.delete(await cluster.kind("customresourcedefinitions"), "sites.example.com");
  await cluster.stopOperator();
  await cluster.settle();
  expect(await podNames(cluster)).not.toEqual(before);

  await cluster.restore(snapshot);
  await cluster.startOperator();
  await cluster.settle();
  const restored = await cluster.get(Site, "shop");
  expect(restored.metadata.uid).toBe(metadata.uid);
  expect(restored.spec.image).toBe("web:1");
  expect(await cluster.find(Site, "late")).toBeUndefined();
  expect(await podNames(cluster)).toEqual(before);
  // It works on: the operator and the controllers have seen the restored objects.
  await cluster.patch(Site, "shop", { merge: { spec: { image: "web:3" } } });
  await cluster.settle();
  expect((await cluster.get(Deployment, "shop")).status).toMatchObject({ updatedReplicas: 1, readyReplicas: 1 });
});

test("the same seed generates the same names and uids", async () => {
  const run = async (seed: number) => {
    await using cluster = await testCluster(sites, { seed, workloads: true });
    await cluster.create(Site, { metadata: { name: "shop" } });
    await cluster.settle();
    return podNames(cluster);
  };
  const first = await run(1);
  expect(first).toHaveLength(1);
  expect(await run(1)).toEqual(first);
  expect(await run(2)).not.toEqual(first);
});

test("listen serves the cluster over HTTPS until it is disposed", async () => {
  let path = "";
  {
    await using cluster = await testCluster(sites);
    const { kubeconfig, url } = await cluster.listen();
    path = kubeconfig;
    const connection = await loadConnection({ kubeconfig });
    expect(connection.server).toBe(url);
    const transport = new HttpsTransport(connection, { clock: cluster.clock });
    await createClient(transport).create(Site, { metadata: { name: "shop", namespace: "default" } });
    await transport.close();
    await cluster.settle();
    expect((await cluster.get(Deployment, "shop")).spec.replicas).toBe(1);
    expect(await createClient(cluster.transport).find(Site, { namespace: "default", name: "shop" })).toBeDefined();
  }
  await expect(readFile(path)).rejects.toThrow("ENOENT");
});

test("wrapTransport injects faults into the operator only", async () => {
  let faults = 2;
  const faulty = (inner: Transport): Transport => ({
    stream: (request) => inner.stream(request),
    close: () => inner.close(),
    send: (request) => {
      if (request.method !== "PATCH" || faults-- <= 0) return inner.send(request);
      return Promise.reject(
        new ApiError(500, "injected", { kind: "Status", apiVersion: "v1", metadata: {}, status: "Failure", code: 500 }),
      );
    },
  });
  await using cluster = await testCluster(sites, { wrapTransport: faulty });
  await cluster.create(Site, { metadata: { name: "shop" } });
  await cluster.settle();
  expect(faults).toBeLessThan(0);
  expect((await cluster.get(Deployment, "shop")).spec.replicas).toBe(1);
});
