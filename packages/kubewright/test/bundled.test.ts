import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startCluster } from "@kubewright/cluster";
import { build } from "esbuild";
import { expect, test } from "vitest";
import { createClient } from "../src/index.js";
import { ConfigMap } from "../src/k8s/core/v1.gen.js";

const main = join(import.meta.dirname, "..", "..", "..", "operators", "sample", "src", "main.ts");
const requireNode =
  'import { createRequire as requireOf } from "node:module"; const require = requireOf(import.meta.url);';

test("a bundled operator runs without node_modules", async () => {
  const folder = await mkdtemp(join(tmpdir(), "kubewright-bundled-"));
  await using cluster = await startCluster();
  const { kubeconfig } = await cluster.listen();
  await writeFile(join(folder, "kubeconfig"), kubeconfig);
  await build({
    entryPoints: [main],
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node20.19",
    // "kubewright-source" resolves the workspace sources; "module" is the condition that bundlers add.
    conditions: ["kubewright-source", "module"],
    banner: { js: requireNode },
    outExtension: { ".js": ".mjs" },
    outdir: folder,
    logLevel: "silent",
  });
  const child = spawn(
    process.execPath,
    [join(folder, "main.mjs"), "--install-crds", "--kubeconfig", join(folder, "kubeconfig")],
    { stdio: ["ignore", "ignore", "pipe"] },
  );
  const ended = new Promise<number | null>((resolve) => child.once("exit", resolve));
  let output = "";
  const ready = new Promise<void>((resolve, reject) => {
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      output += text;
      if (output.includes("Operator started")) resolve();
    });
    void ended.then((code) => reject(new Error(`The operator exited with ${code}: ${output}`)));
  });
  try {
    await ready;
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
  } finally {
    child.kill("SIGTERM");
    await ended;
    await rm(folder, { recursive: true });
  }
});
