import { expect, test } from "vitest";
import { z } from "zod";
import { startWorld } from "../../test/embedded-world.js";
import { Website } from "../../test/website.js";
import { crdOf, defineResource } from "../definition/index.js";
import { CustomResourceDefinition } from "../k8s/apiextensions/v1.gen.js";
import { controller } from "../reconcile/index.js";
import { installCRDs, operator } from "./index.js";

const Certificate = defineResource({
  group: "cert-manager.io",
  kind: "Certificate",
  external: true,
  versions: { v1: { spec: z.object({ secretName: z.string() }) } },
});
const external = crdOf(Certificate).metadata.name;

test("installCRDs leaves the CRD of another project alone, unless told otherwise", async () => {
  await using world = await startWorld();
  const { client, clock } = world;
  const how = { client, clock, fieldManager: "test" };
  await installCRDs([Website, Certificate], how);
  expect(await client.find(CustomResourceDefinition, external)).toBeUndefined();
  expect(await client.find(CustomResourceDefinition, crdOf(Website).metadata.name)).toBeDefined();
  await installCRDs([Certificate], { ...how, includeExternal: true });
  expect(await client.find(CustomResourceDefinition, external)).toBeDefined();
});

test("an operator that starts with installCRDs does not write the CRD of another project, and names the cure where it is missing", async () => {
  await using world = await startWorld();
  const { client, clock } = world;
  const certificates = operator({ name: "certs", controllers: [controller(Certificate, { reconcile: () => {} })] });
  const start = () => certificates.start({ ...world.options, installCRDs: { migrateStored: true } });
  await expect(start()).rejects.toThrow(
    'the server does not serve Certificate of "cert-manager.io/v1"; install the project that it belongs to',
  );
  await installCRDs([Certificate], { client, clock, fieldManager: "chart", includeExternal: true });
  const before = await client.get(CustomResourceDefinition, external);
  const running = await start();
  await world.settle(running);
  await running.stop();
  const after = await client.get(CustomResourceDefinition, external);
  expect(after.metadata.resourceVersion).toBe(before.metadata.resourceVersion);
});
