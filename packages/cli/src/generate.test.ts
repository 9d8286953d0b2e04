import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, expect, test } from "vitest";
import { runCommand } from "./run-command.js";

const operator = join(dirname(fileURLToPath(import.meta.url)), "../../../operators/foo/src/index.ts");
const folders: string[] = [];
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true });
});

async function run(...args: string[]) {
  let text = "";
  let errors = "";
  const out = { write: (more: string) => (text += more) };
  const err = { write: (more: string) => (errors += more) };
  return { code: await runCommand(["generate", ...args], { out, err }), text, errors };
}

test("the manifests of an operator in TypeScript are written, and --check reports whether they are up to date", async () => {
  const folder = await mkdtemp(join(tmpdir(), "kubewright-generate-"));
  folders.push(folder);
  expect(await run(operator, "--out", folder, "--check")).toMatchObject({ code: 4 });
  const written = await run(operator, "--out", folder);
  expect(written.code).toBe(0);
  expect(written.errors).toMatch(/^note: .*webhook\/service.yaml: Selects Pods .*\n$/);
  expect(written.text).toContain(`written: ${folder}/rbac/role.yaml\n`);
  const [, file = ""] = /written: (.*crd.*)/.exec(written.text) ?? [];
  expect(await readFile(file, "utf8")).toContain("kind: CustomResourceDefinition");
  const checked = await run(operator, "--out", folder, "--check", "-o", "json");
  expect(checked.code).toBe(0);
  expect(JSON.parse(checked.text)).toMatchObject({ drifted: [], stale: [], check: true });
});

test("a file that does not exist, or exports neither an operator nor a resource, is an error that names it", async () => {
  expect(await run("nowhere.ts")).toEqual({
    code: 1,
    text: "",
    errors: 'error: Cannot load "nowhere.ts": no such file\n',
  });
  const file = fileURLToPath(new URL("./exit-codes.ts", import.meta.url));
  expect((await run(file)).errors).toContain("exports neither an operator nor a resource");
});
