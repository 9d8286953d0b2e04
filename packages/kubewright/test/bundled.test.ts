import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startCluster } from "@kubewright/cluster";
import { type BuildOptions, build } from "esbuild";
import { expect, test } from "vitest";
import { createClient } from "../src/index.js";
import { Lease } from "../src/k8s/coordination/v1.gen.js";
import { ConfigMap } from "../src/k8s/core/v1.gen.js";

const sample = join(import.meta.dirname, "..", "..", "..", "operators", "sample", "src");
const requireNode =
  'import { createRequire as requireOf } from "node:module"; const require = requireOf(import.meta.url);';

/** A temporary folder with the kubeconfig of a cluster. */
async function folderFor(kubeconfig: string) {
  const path = await mkdtemp(join(tmpdir(), "kubewright-bundled-"));
  await writeFile(join(path, "kubeconfig"), kubeconfig);
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true }) };
}

async function bundle(options: BuildOptions): Promise<void> {
  await build({
    bundle: true,
    platform: "node",
    target: "node20.19",
    // "kubewright-source" resolves the workspace sources; "module" is the condition that bundlers add.
    conditions: ["kubewright-source", "module"],
    ...(options.format === "esm" && { banner: { js: requireNode } }),
    logLevel: "silent",
    ...options,
  });
}

/** Runs a program until it is disposed. Resolves when it has logged `message`, with its log until then. */
async function running(args: readonly string[], message: string) {
  const child = spawn(process.execPath, args, { stdio: ["ignore", "ignore", "pipe"] });
  const ended = new Promise<number | null>((resolve) => child.once("exit", resolve));
  const log = await new Promise<string>((resolve, reject) => {
    let output = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      output += text;
      if (output.includes(message)) resolve(output);
    });
    void ended.then((code) => reject(new Error(`The operator exited with ${code}: ${output}`)));
  });
  const stop = (): Promise<number | null> => {
    child.kill("SIGTERM");
    return ended;
  };
  return { log, stop, [Symbol.asyncDispose]: async () => void (await stop()) };
}

test("a bundled operator runs without node_modules", async () => {
  await using cluster = await startCluster();
  await using folder = await folderFor((await cluster.listen()).kubeconfig);
  await bundle({
    entryPoints: [join(sample, "main.ts")],
    splitting: true,
    format: "esm",
    outExtension: { ".js": ".mjs" },
    outdir: folder.path,
  });
  await using _operator = await running(
    [
      join(folder.path, "main.mjs"),
      "--install-crds",
      "--health-probe-bind-address=0",
      "--kubeconfig",
      join(folder.path, "kubeconfig"),
    ],
    "Operator started",
  );
  const client = createClient(cluster.transport);
  const reports = await client.watch(ConfigMap, { namespace: "default", resourceVersion: "0" });
  await client.request({
    method: "POST",
    path: "/apis/example.com/v1alpha1/namespaces/default/samples",
    body: { apiVersion: "example.com/v1alpha1", kind: "Sample", metadata: { name: "one" }, testString: "hello" },
  });
  let report: unknown;
  for await (const event of reports) {
    if (event.type !== "ADDED" || event.object.metadata.name !== "one-report") continue;
    report = event.object.data;
    break;
  }
  expect(report).toEqual({ sample: "one", testString: "hello" });
});

test.each(["esm", "cjs"] as const)(
  "an operator bundled into one %s file elects its leader on the main thread, with one warning",
  async (format) => {
    await using cluster = await startCluster();
    await using folder = await folderFor((await cluster.listen()).kubeconfig);
    const kubeconfig = join(folder.path, "kubeconfig");
    const outfile = join(folder.path, format === "esm" ? "leader.mjs" : "leader.cjs");
    const contents = `import { sampleOperator } from "./index.js";
void sampleOperator.run({ kubeconfig: ${JSON.stringify(kubeconfig)}, installCRDs: true, leaderElection: { namespace: "default" } });`;
    await bundle({ stdin: { contents, resolveDir: sample, loader: "ts" }, format, outfile });
    await using operator = await running([outfile], "Operator is the leader");
    const client = createClient(cluster.transport);
    const holder = async (): Promise<string | undefined> =>
      (await client.get(Lease, { namespace: "default", name: "sample-operator" })).spec.holderIdentity;
    expect(await holder()).toMatch(/./);
    expect(operator.log.match(/Renewing the Lease on the main thread/g)).toHaveLength(1);
    expect(await operator.stop()).toBe(0);
    // Released: another replica need not wait.
    expect((await holder()) ?? "").toBe("");
  },
);
