import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { startCluster } from "@kubewright/cluster";
import { systemClock } from "@kubewright/core/clock";
import { crdOf, createClient, defineResource, installCRDs, z } from "kubewright";
import { afterEach, expect, test } from "vitest";
import { loadExports } from "./load-exports.js";
import { runCommand } from "./run-command.js";

// Inside this package, so that imports of the written files resolve.
const here = dirname(fileURLToPath(import.meta.url));
const Foo = defineResource({
  group: "example.com",
  kind: "Foo",
  versions: { v1: { spec: z.object({ size: z.int32().min(1), name: z.string().default("x") }) } },
});
const folders: string[] = [];
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true });
});

async function run(...args: string[]) {
  let text = "";
  let errors = "";
  const out = { write: (more: string) => (text += more) };
  const err = { write: (more: string) => (errors += more) };
  return { code: await runCommand(["import", ...args], { out, err }), text, errors };
}

test("a CRD is imported as TypeScript that defines the same CRD, and existing files are not overwritten", async () => {
  const folder = await mkdtemp(join(here, "import-"));
  folders.push(folder);
  const file = join(folder, "crd.yaml");
  await writeFile(file, `kind: ConfigMap\n---\n${JSON.stringify(crdOf(Foo))}\n`);
  const written = await run(file, "--out", folder);
  expect(written).toEqual({ code: 0, text: `written: ${join(folder, "foo.ts")}\n`, errors: "" });
  const { Foo: again } = (await loadExports(join(folder, "foo.ts"))) as { Foo: typeof Foo };
  expect(crdOf(again)).toEqual(crdOf(Foo));
  expect((await run(file)).text).toBe(await readFile(join(folder, "foo.ts"), "utf8"));
  const printed = JSON.parse((await run(file, "-o", "json")).text);
  expect(printed).toEqual({ modules: [{ name: "foo.ts", text: (await run(file)).text }] });
  expect(JSON.parse((await run(file, "--out", folder, "--force", "-o", "json")).text)).toEqual({
    folder,
    written: ["foo.ts"],
  });
  const second = await run(file, "--out", folder);
  expect(second).toMatchObject({ code: 1, text: "" });
  expect(second.errors).toContain("it already exists; use --force to replace it");
});

test("a file without a CRD, and one that is not YAML, are errors that name the file", async () => {
  const folder = await mkdtemp(join(here, "import-"));
  folders.push(folder);
  const file = join(folder, "other.yaml");
  await writeFile(file, "kind: ConfigMap\n");
  expect((await run(file)).errors).toContain("no CustomResourceDefinition found");
  await writeFile(file, "a: [");
  expect((await run(file)).errors).toContain(`Cannot read "${file}"`);
});

test("a directory is read recursively, other files are ignored, and files of kinds with the same name include the group", async () => {
  const folder = await mkdtemp(join(here, "import-"));
  folders.push(folder);
  await mkdir(join(folder, "in/deep"), { recursive: true });
  const Other = defineResource({ group: "other.org", kind: "Foo", versions: { v1: { spec: z.object({}) } } });
  await writeFile(join(folder, "in/a.yaml"), JSON.stringify(crdOf(Foo)));
  await writeFile(join(folder, "in/deep/b.json"), JSON.stringify(crdOf(Other), undefined, 2));
  await writeFile(join(folder, "in/template.yaml"), "{{ if .Values.x }}\na: [\n");
  const { text, errors } = await run(join(folder, "in"), "--out", join(folder, "out"));
  expect(errors).toBe("");
  expect(text).toBe(
    ["example-com", "other-org"].map((group) => `written: ${join(folder, "out", `foo.${group}.ts`)}\n`).join(""),
  );
});

test("CRDs are read from a cluster, by name or all", async () => {
  const folder = await mkdtemp(join(here, "import-"));
  folders.push(folder);
  await using cluster = await startCluster();
  const client = createClient(cluster.transport);
  await installCRDs([Foo], { client, clock: systemClock, fieldManager: "test" });
  const { kubeconfig } = await cluster.listen();
  const file = join(folder, "kubeconfig");
  await writeFile(file, kubeconfig);
  const named = await run("--from-cluster", "foos.example.com", "--kubeconfig", file);
  expect(named).toMatchObject({ code: 0, errors: "" });
  expect(named.text).toContain('group: "example.com",');
  expect((await run("--kubeconfig", file, "--from-cluster")).text).toBe(named.text);
  expect((await run("--from-cluster", "bars.example.com", "--kubeconfig", file)).errors).toContain(
    '"bars.example.com"',
  );
  expect((await run()).errors).toContain("name files or directories, or use --from-cluster");
});
