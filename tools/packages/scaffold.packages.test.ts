import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { publishedName } from "../build/package-names.js";
import { ConsumerProject } from "./consumer-project.js";
import { npm, runProgram } from "./run-program.js";

let project: ConsumerProject;
beforeAll(async () => {
  project = await ConsumerProject.make();
}, 300_000);
afterAll(() => project?.remove(), 300_000);

/** Replaces the versions of our packages, which may not be published yet, by the packed ones. */
function usePacked(folder: string): void {
  const file = join(folder, "package.json");
  const manifest = JSON.parse(readFileSync(file, "utf8")) as {
    devDependencies: Record<string, string>;
    dependencies: Record<string, string>;
  };
  for (const tarball of project.tarballs) {
    if (basename(tarball).startsWith("create-kubewright")) continue;
    const [, scope = "", name = ""] = /^(kubewright-)?([a-z]+)-\d/.exec(basename(tarball)) ?? [];
    const published = scope === "" ? name : publishedName(name);
    delete manifest.dependencies[published];
    manifest.devDependencies[published] = `file:${tarball}`;
  }
  writeFileSync(file, JSON.stringify(manifest));
}

test("a scaffolded project installs, type-checks, passes its lint rules and tests, and its manifests are up to date", async () => {
  const kubewright = (...args: string[]) =>
    project.node(join(project.folder, "node_modules/@kubewright/cli/dist/main.js"), ...args);
  const names = ["--domain", "example.com", "--group", "web", "--kind", "Website"];
  const create = join(project.folder, "node_modules/create-kubewright/dist/main.js");
  expect(await project.node(create, "shop-operator", ...names)).toMatchObject({ status: 0, stderr: "" });
  const folder = join(project.folder, "shop-operator");
  const { scripts } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const [, ...generate] = scripts.generate.split(" ");
  const main = join(project.folder, "node_modules/@kubewright/cli/dist/main.js");
  expect(await runProgram(process.execPath, [main, ...generate, "--check"], folder)).toMatchObject({ status: 0 });
  const added = await kubewright("create", "api", "--dir", folder, "--kind", "Tenant", "--cluster-scoped");
  expect(added).toMatchObject({ status: 0, stderr: "" });
  const hooks = ["--defaulting", "--programmatic-validation", "--conversion", "--spoke", "v1beta1"];
  const hooked = await kubewright("create", "webhook", "--dir", folder, "--kind", "Website", ...hooks);
  expect(hooked).toMatchObject({ status: 0, stderr: "" });
  usePacked(folder);
  await npm(["install"], folder);
  for (const script of [["check"], ["test"], ["generate"], ["generate", "--", "--check"], ["build"]]) {
    const { status, stdout, stderr } = await runProgram("npm", ["run", "--silent", ...script], folder);
    if (status !== 0) throw new Error(`npm run ${script.join(" ")} ended with ${status}: ${stdout}${stderr}`);
  }
  writeFileSync(join(folder, "src/controllers/careless.ts"), careless);
  const linted = await runProgram("npm", ["run", "--silent", "check"], folder);
  expect(linted.status).not.toBe(0);
  expect(linted.stdout.match(/no-floating-promises/g), linted.stdout).toHaveLength(2);
  rmSync(join(folder, "src/controllers/careless.ts"));
  writeFileSync(join(folder, "src/controllers/clocked.ts"), clocked);
  const clockLinted = await runProgram("npm", ["run", "--silent", "check"], folder);
  expect(clockLinted.status).not.toBe(0);
  expect(clockLinted.stdout + clockLinted.stderr).toMatch(/noRestrictedGlobals(.|\n)*clock/);
  const help = await runProgram(process.execPath, ["out/main.js", "--help"], folder);
  expect(help.stdout).toContain("--leader-elect");
}, 600_000);

const careless = `import { controller } from "kubewright";
import { ConfigMap } from "kubewright/k8s/core/v1";
import { Website } from "../api/website.js";

export const careless = controller(Website, {
  name: "careless",
  owns: [ConfigMap],
  reconcile: ({ object, apply, saveStatus }) => {
    saveStatus();
    apply(ConfigMap, { metadata: { name: object.metadata.name } });
  },
});
`;

const clocked = `import { controller } from "kubewright";
import { Website } from "../api/website.js";

export const clocked = controller(Website, {
  name: "clocked",
  reconcile: ({ requeueAfter }) => requeueAfter(Date.now() % 2 === 0 ? "1s" : "2s"),
});
`;
