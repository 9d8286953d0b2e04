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
      ".oxlintrc.json",
      "Dockerfile",
      "AGENTS.md",
      "LICENSE",
      ".github/workflows/test.yml",
      "src/main.ts",
      "src/operator.ts",
      "src/api/website.ts",
      "src/controllers/website-controller.ts",
      "src/controllers/website-controller.test.ts",
      "config/crd/web.example.com_websites.yaml",
      "config/default/kustomization.yaml",
      "config/manager/manager.yaml",
      "config/rbac/role.yaml",
      "config/samples/web.example.com_v1alpha1_website.yaml",
      "dist/install.yaml",
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
  expect(await create()).toContain("required option '--kind <kind>' not specified");
  expect(await create("--kind", "Pod", "--group", "other")).toContain('the project has the group "web"');
});

/** The content of each file below the project. */
async function contents(): Promise<Readonly<Record<string, string>>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return Object.fromEntries(await Promise.all(files.map(async (file) => [file, await readFile(file, "utf8")])));
}

test("delete removes exactly what create added, and not what the user changed", async () => {
  await run("init", folder, ...names);
  const before = await contents();
  const kind = ["--dir", folder, "--kind", "Tenant"];
  await run("create", "api", ...kind);
  const withApi = await contents();
  expect(await run("create", "webhook", ...kind, "--defaulting")).toMatchObject({ code: 0, err: "" });
  const operator = await readFile(join(folder, "src/operator.ts"), "utf8");
  expect(operator).toContain('import { tenantWebhook } from "./webhooks/tenant-webhook.js";');
  expect(operator).toMatch(/webhooks: \[\n {4}tenantWebhook,\n/);
  expect(await readFile(join(folder, "PROJECT"), "utf8")).toContain("defaulting: true");
  expect(await run("delete", "webhook", ...kind)).toMatchObject({ code: 0, err: "" });
  expect(await contents()).toEqual(withApi);

  const controller = join(folder, "src/controllers/tenant-controller.ts");
  await writeFile(controller, "// mine\n");
  expect((await run("delete", "api", ...kind)).err).toContain(
    'you have changed "src/controllers/tenant-controller.ts"; use --force to remove them too',
  );
  expect((await run("delete", "api", ...kind, "--force", "--dry-run")).out).toContain(
    "would remove: src/api/tenant.ts\n",
  );
  expect(await run("delete", "api", ...kind, "--force")).toMatchObject({ code: 0, err: "" });
  expect(await contents()).toEqual(before);
});

test("create webhook adds versions and their conversions to the definition, and rejects what makes no sense", async () => {
  await run("init", folder, ...names);
  const create = (...args: string[]) => run("create", "webhook", "--dir", folder, "--kind", "Website", ...args);
  expect(await create("--conversion", "--spoke", "v1beta1", "v1")).toMatchObject({ code: 0, err: "" });
  const definition = await readFile(join(folder, "src/api/website.ts"), "utf8");
  for (const spoke of ["v1beta1", "v1"]) expect(definition).toContain(`    ${spoke}: { spec, status,`);
  expect(definition).toMatch(/ {2}convert: \{\n {4}v1beta1: \{ toHub: .*\n {4}v1: \{ toHub: /);
  expect((await create("--conversion", "--spoke", "v1")).err).toContain("it has the version v1");
  expect((await create("--conversion")).err).toContain("--conversion and --spoke belong together");
  expect((await create()).err).toContain("choose what it does");
  expect((await run("create", "webhook", "--dir", folder, "--kind", "Pod", "--defaulting")).err).toContain(
    "its kinds are web/Website; add it with kubewright create api",
  );
});

test("create api adds a controller for a built-in kind and for an imported CRD, and a definition without a controller", async () => {
  await run("init", folder, ...names);
  const before = await contents();
  const create = (...args: string[]) => run("create", "api", "--dir", folder, ...args);
  const core = ["--group", "apps", "--version", "v1", "--kind", "Deployment"];
  expect((await create(...core)).err).toContain("it is a built-in kind of Kubernetes; add --no-resource");
  expect(await create(...core, "--no-resource")).toMatchObject({ code: 0, err: "" });
  const observer = await readFile(join(folder, "src/controllers/deployment-controller.ts"), "utf8");
  expect(observer).toContain('import { Deployment } from "kubewright/k8s/apps/v1";');

  const crd = join(folder, "issuers.yaml");
  await writeFile(crd, issuer);
  expect(await create("--kind", "Issuer", "--external-api-path", crd)).toMatchObject({ code: 0, err: "" });
  expect(await readFile(join(folder, "src/api/issuer.ts"), "utf8")).toContain("external: true");
  expect((await create("--kind", "Other", "--external-api-path", crd)).err).toMatch(
    /Cannot import Other: ".*" has Issuer/,
  );
  await rm(crd);

  expect(await create("--kind", "Settings", "--no-controller")).toMatchObject({ code: 0, err: "" });
  expect(await readFile(join(folder, "src/operator.ts"), "utf8")).toContain(
    'export { Settings } from "./api/settings.js";',
  );
  const project = await readFile(join(folder, "PROJECT"), "utf8");
  expect(project).toMatch(/kind: Deployment\n {4}plural: deployments\n {4}core: true\n {4}controller: true/);
  expect(project).toMatch(/group: issuance.example.org\n.*\n {4}kind: Issuer\n {4}plural: issuers\n {4}external: true/);
  expect((await create("--kind", "Nothing", "--no-resource", "--no-controller")).err).toContain("nothing is left");
  expect((await create("--kind", "Nothing", "--group", "apps", "--version", "v1", "--no-resource")).err).toContain(
    '"apps/v1" has no such built-in kind',
  );
  const hook = ["create", "webhook", "--dir", folder, "--kind", "Deployment"];
  expect((await run(...hook, "--conversion", "--spoke", "v2")).err).toContain("another project defines its versions");
  expect(await run(...hook, "--defaulting")).toMatchObject({ code: 0, err: "" });

  for (const kind of ["Deployment", "Issuer", "Settings"])
    expect(await run("delete", "api", "--dir", folder, "--kind", kind)).toMatchObject({ code: 0, err: "" });
  expect(await contents()).toEqual(before);
});

const issuer = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: issuers.issuance.example.org }
spec:
  group: issuance.example.org
  scope: Namespaced
  names: { kind: Issuer, plural: issuers, singular: issuer }
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          required: [spec]
          properties:
            spec: { type: object, required: [url], properties: { url: { type: string, minLength: 1 } } }
`;
