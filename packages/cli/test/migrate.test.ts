import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startCluster } from "@kubewright/cluster";
import { createClient } from "kubewright";
import { CustomResourceDefinition } from "kubewright/k8s/apiextensions/v1";
import { expect, onTestFinished, test } from "vitest";
import { projectUnderTest } from "./project-under-test.js";

/** An operator of Notes: of v1, and later of v1 and v2, in which objects are stored then. */
const moduleWith = (definition: string): string => `
import { controller, defineResource, operator, z } from "kubewright";

const spec = z.object({ text: z.string().optional() });
export const Note = defineResource({ group: "migrate.example.com", kind: "Note", ${definition} });
export const notes = operator({ name: "notes", controllers: [controller(Note, { reconcile: () => {} })] });
`;

test("migrate writes every stored object in the storage version, and the CRD then lists that version only", async () => {
  await using cluster = await startCluster({ workloads: false });
  const client = createClient(cluster.transport);
  const folder = await mkdtemp(join(tmpdir(), "kubewright-migrate-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const kubeconfig = join(folder, "kubeconfig");
  await writeFile(kubeconfig, (await cluster.listen()).kubeconfig);
  await using project = await projectUnderTest(kubeconfig);
  const { module, run } = project;
  const storedVersions = async () =>
    (await client.get(CustomResourceDefinition, "notes.migrate.example.com")).status?.storedVersions;

  await writeFile(module, moduleWith("versions: { v1: { spec } }"));
  expect(await run("migrate")).toMatchObject({ code: 1, err: expect.stringContaining("notes.migrate.example.com") });
  await run("install");
  const path = "/apis/migrate.example.com/v1/namespaces/default/notes";
  for (const name of ["a", "b", "c"])
    await cluster.transport.send({
      method: "POST",
      path,
      body: { apiVersion: "migrate.example.com/v1", kind: "Note", metadata: { name }, spec: { text: name } },
    });

  await writeFile(module, moduleWith('hub: "v2", versions: { v1: { spec }, v2: { spec, storage: true } }'));
  expect(await run("install")).toMatchObject({ code: 0, err: "", out: expect.stringContaining(" configured") });
  expect(await storedVersions()).toEqual(["v1", "v2"]);
  const migrated = await run("migrate");
  expect(migrated).toMatchObject({ code: 0, err: "" });
  expect(migrated.out).toContain("notes.migrate.example.com: 3 objects migrated from v1; all are stored in v2\n");
  expect(await storedVersions()).toEqual(["v2"]);
  expect(JSON.parse((await run("migrate", "-o", "json")).out)).toMatchObject({
    migrated: [{ crd: "notes.migrate.example.com", objects: 0, to: "v2" }],
  });
});
