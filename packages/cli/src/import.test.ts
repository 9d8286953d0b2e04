import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { crdOf, defineResource, z } from "kubewright";
import { afterEach, expect, test } from "vitest";
import { loadExports } from "./load-exports.js";
import { runCommand } from "./run-command.js";

// Below this package, so that what is written finds what it imports.
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

test("a definition comes back as TypeScript that defines the same, and files that are there stay", async () => {
  const folder = await mkdtemp(join(here, "import-"));
  folders.push(folder);
  const file = join(folder, "crd.yaml");
  await writeFile(file, `kind: ConfigMap\n---\n${JSON.stringify(crdOf(Foo))}\n`);
  const written = await run(file, "--out", folder);
  expect(written).toEqual({ code: 0, text: `written: ${folder}/foo.ts\n`, errors: "" });
  const { Foo: again } = (await loadExports(join(folder, "foo.ts"))) as { Foo: typeof Foo };
  expect(crdOf(again)).toEqual(crdOf(Foo));
  expect((await run(file)).text).toBe(await readFile(join(folder, "foo.ts"), "utf8"));
  const second = await run(file, "--out", folder);
  expect(second).toMatchObject({ code: 1, text: "" });
  expect(second.errors).toContain("it is there already; --force replaces it");
});

test("a file without a definition, and one that is no YAML, are errors that name them", async () => {
  const folder = await mkdtemp(join(here, "import-"));
  folders.push(folder);
  const file = join(folder, "other.yaml");
  await writeFile(file, "kind: ConfigMap\n");
  expect((await run(file)).errors).toContain("there is no CustomResourceDefinition");
  await writeFile(file, "a: [");
  expect((await run(file)).errors).toContain(`Cannot read "${file}"`);
});
