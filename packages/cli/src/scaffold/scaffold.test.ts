import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { runCommand } from "../run-command.js";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "kubewright-init-"));
});
afterEach(() => rm(folder, { recursive: true }));

async function run(...args: string[]) {
  let out = "";
  let err = "";
  const code = await runCommand(args, {
    out: { write: (text) => (out += text) },
    err: { write: (text) => (err += text) },
  });
  return { code, out, err: err.replaceAll(folder, "DIR") };
}

const names = ["--name", "shop", "--domain", "example.com", "--group", "web", "--kind", "Website"];

test("init writes a project, a second init changes nothing, and create api adds a kind to it", async () => {
  const first = await run("init", folder, ...names, "-o", "json");
  expect(first).toMatchObject({ code: 0, err: "" });
  const { created } = JSON.parse(first.out) as { readonly created: readonly string[] };
  expect(created).toEqual(
    expect.arrayContaining([
      "PROJECT",
      "package.json",
      "tsconfig.json",
      "biome.json",
      "Dockerfile",
      "AGENTS.md",
      "LICENSE",
      ".github/workflows/test.yml",
      "src/main.ts",
      "src/operator.ts",
      "src/api/website.ts",
      "src/controllers/website-controller.ts",
      "src/controllers/website-controller.test.ts",
    ]),
  );
  const second = await run("init", folder, ...names, "-o", "json");
  expect(JSON.parse(second.out)).toMatchObject({ created: [], updated: [] });

  const added = await run("create", "api", "--dir", folder, "--kind", "TenantQuota", "--cluster-scoped");
  expect(added).toMatchObject({ code: 0, err: "" });
  expect(added.out).toContain("created: src/api/tenant-quota.ts\n");
  const operator = await readFile(join(folder, "src/operator.ts"), "utf8");
  expect(operator).toContain('import { tenantQuotaController } from "./controllers/tenant-quota-controller.js";');
  expect(operator).toMatch(/websiteController,\n {4}tenantQuotaController,\n/);
  expect(await readFile(join(folder, "PROJECT"), "utf8")).toContain("kind: TenantQuota");
  expect(await readFile(join(folder, "src/api/tenant-quota.ts"), "utf8")).toContain('scope: "Cluster"');
});

test("--dry-run lists the files and writes nothing", async () => {
  const { code, out } = await run("init", folder, ...names, "--dry-run");
  expect(code).toBe(0);
  expect(out).toContain("would create: src/operator.ts\n");
  expect(await readdir(folder)).toEqual([]);
});

test("a changed file is not overwritten without --force, and then nothing is written", async () => {
  await writeFile(join(folder, "package.json"), "{}\n");
  expect(await run("init", folder, ...names)).toMatchObject({
    code: 1,
    err: 'error: Cannot write "package.json" in "DIR": the file exists with another content; move it, or use --force to replace it\n',
  });
  expect(await readdir(folder)).toEqual(["package.json"]);
  expect(await run("init", folder, ...names, "--force")).toMatchObject({ code: 0 });
  expect(await readFile(join(folder, "package.json"), "utf8")).toContain('"name": "shop"');
});

test.each([
  ["project", ["--name", "My Shop"], '"My Shop" is no valid project name: it must be at most 56 lower case letters'],
  ["domain", ["--domain", "example"], '"example" is no valid domain: it must be a DNS name in lower case'],
  ["group", ["--group", "web.example"], '"web.example" is no valid group: it must be lower case letters, digits'],
  ["version", ["--version", "1.0"], '"1.0" is no valid version: it must be of the form v1, v1beta1 or v1alpha1'],
  ["kind", ["--kind", "web site"], '"web site" is no valid kind: it must be CamelCase letters and digits'],
])("an invalid %s is rejected with the rule", async (_, args, message) => {
  const { code, err } = await run("init", folder, "--name", "shop", ...args);
  expect(code).toBe(1);
  expect(err).toContain(message);
  expect(await readdir(folder)).toEqual([]);
});

test("create api rejects a folder without PROJECT, a known kind, a missing kind and a second group", async () => {
  expect((await run("create", "api", "--dir", folder, "--kind", "Site")).err).toContain("run this in the folder that");
  await run("init", folder, ...names);
  const create = async (...args: string[]): Promise<string> =>
    (await run("create", "api", "--dir", folder, ...args)).err;
  expect(await create("--kind", "Website")).toContain("the project has it; add versions in its definition");
  expect(await create()).toContain("--kind is missing");
  expect(await create("--kind", "Pod", "--group", "other")).toContain('the project has the group "web"');
});
