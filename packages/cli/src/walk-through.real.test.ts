/** The getting-started guide of the documentation: real kubectl against `kubewright cluster start`. */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";

const execute = promisify(execFile);
const samples = join(import.meta.dirname, "..", "..", "..", "operators", "sample", "samples");
const folder = mkdtempSync(join(tmpdir(), "kubewright-walk-"));
const kubeconfig = join(folder, "kubeconfig");
let command: ChildProcess;

beforeAll(async () => {
  const main = join(import.meta.dirname, "main.ts");
  const args = ["--conditions=kubewright-source", "--import=tsx", main, "cluster", "start", "--kubeconfig", kubeconfig];
  command = spawn(process.execPath, [...args, "-o", "json"], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, KUBEWRIGHT_STATE_DIR: join(folder, "state") },
  });
  await new Promise<void>((resolve, reject) => {
    if (command.stdout) createInterface({ input: command.stdout }).once("line", () => resolve());
    command.once("exit", (code) => reject(new Error(`The command exited with code ${code}`)));
  });
});
afterAll(async () => {
  const exited = new Promise((resolve) => command.once("exit", resolve));
  command.kill("SIGTERM");
  await exited;
  rmSync(folder, { recursive: true });
});

async function kubectl(...args: string[]): Promise<string> {
  const binary = process.env["KUBEWRIGHT_KUBECTL"];
  if (binary === undefined) throw new Error("KUBEWRIGHT_KUBECTL is not set: run this test with npm run test:real");
  const { stdout } = await execute(binary, ["--kubeconfig", kubeconfig, ...args], { cwd: samples });
  return stdout;
}

test("a Sample before its CRD is rejected, then both are created, and kubectl prints columns and YAML", async () => {
  await expect(kubectl("apply", "-f", "sample.yaml")).rejects.toMatchObject({
    stderr:
      `error: resource mapping not found for name: "sample-resource-1" namespace: "" from "sample.yaml": ` +
      `no matches for kind "Sample" in version "example.com/v1alpha1"\nensure CRDs are installed first\n`,
  });
  expect(await kubectl("apply", "-f", "sample-definition.yaml")).toBe(
    "customresourcedefinition.apiextensions.k8s.io/samples.example.com created\n",
  );
  expect(await kubectl("apply", "-f", "sample.yaml")).toBe("sample.example.com/sample-resource-1 created\n");
  expect(await kubectl("get", "samples")).toBe(
    "NAME                TEST STRING\nsample-resource-1   first sample resource\n",
  );
  const yaml = await kubectl("get", "sample", "sample-resource-1", "-o", "yaml");
  expect(
    yaml
      .replace(/"20\d\d-[^"]+Z"/, "TIME")
      .replace(/uid: .*/, "uid: UID")
      .replace(/Version: "\d+"/, "Version: RV"),
  ).toBe(
    [
      "apiVersion: example.com/v1alpha1",
      "kind: Sample",
      "metadata:",
      "  annotations:",
      "    kubectl.kubernetes.io/last-applied-configuration: |",
      `      {"apiVersion":"example.com/v1alpha1","kind":"Sample","metadata":{"annotations":{},"name":"sample-resource-1","namespace":"default"},"testString":"first sample resource"}`,
      "  creationTimestamp: TIME",
      "  generation: 1",
      "  name: sample-resource-1",
      "  namespace: default",
      "  resourceVersion: RV",
      "  uid: UID",
      "testString: first sample resource",
      "",
    ].join("\n"),
  );
});
