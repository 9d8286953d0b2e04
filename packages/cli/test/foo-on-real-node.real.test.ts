/** An operator as its users run it: from an image, in a pod of a real node, with its generated manifests. */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { installedNodePrograms, missingForRealNode, nodeImage } from "@kubewright/cluster/real-node";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const execute = promisify(execFile);
const root = join(import.meta.dirname, "..", "..", "..");
const missing = missingForRealNode(installedNodePrograms());
if (missing.length > 0)
  process.stderr.write(`SKIPPED: no real node runs on this machine. Missing:\n  - ${missing.join("\n  - ")}\n`);

const kubectl = process.env["KUBEWRIGHT_KUBECTL"] ?? "";
const image = "example.com/foo";

describe.skipIf(missing.length > 0)("Foo on a real node of the embedded cluster", () => {
  const folder = mkdtempSync(join(tmpdir(), "kubewright-foo-"));
  const kubeconfig = join(folder, "kubeconfig");
  const env = { ...process.env, KUBEWRIGHT_STATE_DIR: join(folder, "state"), KUBECONFIG: kubeconfig };
  let cluster: ChildProcess;

  const kubewright = (...args: string[]): readonly [string, string[]] => [
    process.execPath,
    ["--conditions=kubewright-source", "--import=tsx", join(root, "packages", "cli", "src", "main.ts"), ...args],
  ];
  const runKubewright = async (...args: string[]): Promise<void> => {
    await execute(...kubewright(...args), { env, cwd: root });
  };
  const run = async (command: string): Promise<string> =>
    (await execute(kubectl, command.split(" "), { env, cwd: root, timeout: 100_000 })).stdout.trim();

  beforeAll(async () => {
    // The image has the published form of the packages.
    await execute(process.execPath, ["--import=tsx", "--conditions=kubewright-source", "tools/build/main.ts"], {
      cwd: root,
    });
    const program = await bundleOf(join(root, "operators", "foo", "dist", "main.js"));
    cluster = spawn(...kubewright("cluster", "start", "--real-node", "--kubeconfig", kubeconfig, "-o", "json"), {
      env,
      stdio: ["ignore", "pipe", "inherit"],
    });
    if (cluster.stdout === null) throw new Error("no standard output");
    await once(createInterface({ input: cluster.stdout }), "line");
    for (const tag of ["1", "2"]) {
      writeFileSync(join(folder, "foo.tar"), await nodeImage({ name: `${image}:${tag}`, program }));
      await runKubewright("cluster", "load-image", join(folder, "foo.tar"));
    }
    const manifests = ["--out", join(folder, "config"), "--installer", join(folder, "install.yaml")];
    const source = join("operators", "foo", "src", "index.ts");
    await runKubewright("generate", source, "--image", `${image}:1`, "--namespace", "foo-system", ...manifests);
    await run(`apply -f ${join(folder, "install.yaml")}`);
    await run("-n foo-system rollout status deployment/foo-operator --timeout=90s");
  }, 300_000);

  afterAll(async () => {
    cluster.kill("SIGTERM");
    await once(cluster, "exit");
    rmSync(folder, { recursive: true });
  });

  test("its webhooks are called through their Service, with certificates of its own", async () => {
    const sample = join("operators", "foo", "samples", "foo.yaml");
    const { stdout, stderr } = await execute(kubectl, ["apply", "-f", sample], { env, cwd: root });
    expect(stdout).toBe("foo.samplecontroller.k8s.io/example-foo created\n");
    expect(stderr).toContain("the Deployment has no redundancy");
    const invalid = `{"spec":{"deploymentName":"other","replicas":2}}`;
    await expect(
      run(`patch foos.v1alpha1.samplecontroller.k8s.io example-foo --type=merge -p ${invalid}`),
    ).rejects.toMatchObject({
      stderr: expect.stringContaining("spec.deploymentName"),
    });
  });

  test("it reconciles with its derived permissions and its projected token", async () => {
    await run("wait --for=create deployment/example-foo --timeout=30s");
    expect(await run("get deployment example-foo -o jsonpath={.spec.replicas}")).toBe("1");
    expect(await run("-n foo-system get pods -o jsonpath={.items[*].spec.serviceAccountName}")).toBe("foo-operator");
  });

  test("a rollout of its next image hands the leadership over, and no request to its webhooks fails", async () => {
    const holder = (): Promise<string> =>
      run("-n foo-system get lease foo-operator -o jsonpath={.spec.holderIdentity}");
    const before = await holder();
    const load = { requests: 0, stopped: false };
    // Each goes through the conversion and admission webhooks.
    const requests = (async () => {
      for (; !load.stopped; load.requests++)
        await run(`annotate foos.v1beta1.samplecontroller.k8s.io example-foo --overwrite count=${load.requests}`);
    })();
    await run(`-n foo-system set image deployment/foo-operator manager=${image}:2`);
    await run("-n foo-system rollout status deployment/foo-operator --timeout=90s");
    await run(
      "-n foo-system wait --for=jsonpath={.status.terminatingReplicas}=0 deployment/foo-operator --timeout=60s",
    );
    load.stopped = true;
    await requests;
    expect(load.requests).toBeGreaterThan(10);
    await run('patch foo example-foo --type=merge -p {"spec":{"replicas":3}}');
    await run("wait --for=jsonpath={.spec.replicas}=3 deployment/example-foo --timeout=60s");
    expect(await holder()).not.toBe(before);
  });
});

/** The program as one file. */
async function bundleOf(entryPoint: string): Promise<Uint8Array> {
  const { outputFiles } = await build({
    entryPoints: [entryPoint],
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20",
    write: false,
    logLevel: "error",
    banner: {
      js: 'import { createRequire as requireOf } from "node:module"; const require = requireOf(import.meta.url);',
    },
  });
  const [file] = outputFiles;
  if (file === undefined) throw new Error(`esbuild wrote no file for ${entryPoint}`);
  return file.contents;
}
