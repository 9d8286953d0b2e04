import { startCluster } from "@kubewright/cluster";
import { systemClock } from "@kubewright/core/clock";
import { expect, test } from "vitest";
import { z } from "zod";
import { createClient } from "../client/index.js";
import { defineResource } from "../definition/index.js";
import { CustomResourceDefinition } from "../k8s/apiextensions/v1.gen.js";
import { controller } from "../reconcile/index.js";
import { installCRDs } from "./install-crds.js";
import { type MigrationProgress, migrateStored } from "./migrate-stored.js";
import { operator } from "./operator.js";

const spec = z.object({ size: z.int32() });
const storedIn = (storage: "v1" | "v2") =>
  defineResource({
    group: "example.com",
    kind: "Pool",
    hub: "v2",
    versions: { v1: { spec, storage: storage === "v1" }, v2: { spec, storage: storage === "v2" } },
  });

test("stored objects are migrated page by page, also while objects are deleted; then the CRD can drop the old version", async () => {
  await using cluster = await startCluster();
  const client = createClient(cluster.transport);
  const options = { client, clock: systemClock, fieldManager: "pools" };
  await installCRDs([storedIn("v1")], options);
  for (let index = 0; index < 12; index++)
    await client.create(storedIn("v1"), { metadata: { name: `p${index}` }, spec: { size: index } });
  const New = storedIn("v2");
  await installCRDs([New], options);
  const progress: MigrationProgress[] = [];
  const onProgress = (step: MigrationProgress): void => {
    progress.push(step);
  };
  const racing = createClient({
    ...cluster.transport,
    close: () => cluster.transport.close(),
    stream: (request) => cluster.transport.stream(request),
    send: async (request) => {
      // Another client deletes an object between the list and the patch.
      if (request.method === "PATCH" && request.path.endsWith("/p7")) await client.delete(New, "p7");
      return cluster.transport.send(request);
    },
  });
  const report = await migrateStored(New, { client: racing, onProgress, pageSize: 5 });
  expect(report).toEqual({ from: ["v1"], to: "v2", objects: 12 });
  expect(progress.map(({ done }) => done)).toEqual([5, 10, 12]);
  expect(progress.at(-1)).toEqual({ definition: "pools.example.com", done: 12, remaining: 0 });
  const { status } = await client.get(CustomResourceDefinition, "pools.example.com");
  expect(status?.storedVersions).toEqual(["v2"]);
  expect(await migrateStored(New, { client })).toEqual({ from: [], to: "v2", objects: 0 });
  const Only = defineResource({ group: "example.com", kind: "Pool", versions: { v2: { spec } } });
  await expect(installCRDs([Only], options)).rejects.toThrow('version "v1" is no longer served');
  await installCRDs([Only], { ...options, allowUnsafe: true });
  expect((await client.get(Only, "p3")).spec.size).toBe(3);
});

test("a rejected patch stops the migration, and the old version stays in storedVersions", async () => {
  await using cluster = await startCluster();
  const client = createClient(cluster.transport);
  const options = { client, clock: systemClock, fieldManager: "pools" };
  await installCRDs([storedIn("v1")], options);
  await client.create(storedIn("v1"), { metadata: { name: "a" }, spec: { size: 1 } });
  await installCRDs([storedIn("v2")], options);
  const failing = createClient({
    close: () => cluster.transport.close(),
    stream: (request) => cluster.transport.stream(request),
    send: (request) =>
      cluster.transport.send(request.method === "PATCH" ? { ...request, body: { spec: null } } : request),
  });
  await expect(migrateStored(storedIn("v2"), { client: failing })).rejects.toThrow('Cannot patch Pool "default/a"');
  const { status } = await client.get(CustomResourceDefinition, "pools.example.com");
  expect(status?.storedVersions).toEqual(["v1", "v2"]);
});

test("an operator with migrateStored migrates at startup", async () => {
  await using cluster = await startCluster();
  const client = createClient(cluster.transport);
  await installCRDs([storedIn("v1")], { client, clock: systemClock, fieldManager: "pools" });
  await client.create(storedIn("v1"), { metadata: { name: "a" }, spec: { size: 1 } });
  const pools = operator({ name: "pools", controllers: [controller(storedIn("v2"), { reconcile: () => {} })] });
  await using running = await pools.start({
    transport: cluster.transport,
    installCRDs: { migrateStored: true },
  });
  expect(running.synced).toBe(true);
  const { status } = await client.get(CustomResourceDefinition, "pools.example.com");
  expect(status?.storedVersions).toEqual(["v2"]);
});
