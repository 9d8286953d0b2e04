import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { startCluster } from "@kubewright/cluster";
import { PodStage } from "@kubewright/cluster/simulation";
import { createClient } from "kubewright";
import { Pod } from "kubewright/k8s/core/v1";
import { expect, test } from "vitest";

const kubectl = process.env["KUBEWRIGHT_KUBECTL"] ?? "";
if (kubectl === "") throw new Error("Cannot test with kubectl: KUBEWRIGHT_KUBECTL must hold the path of its binary");

test("kubectl top shows the usage of PodStages, and reports a missing Metrics API without them", async () => {
  await using cluster = await startCluster({ workloads: { nodes: 1 } });
  const folder = await mkdtemp(join(tmpdir(), "kubewright-top-"));
  try {
    const config = join(folder, "kubeconfig");
    await writeFile(config, (await cluster.listen()).kubeconfig);
    const env = { PATH: process.env["PATH"] ?? "", HOME: folder, KUBECONFIG: config };
    const prints = async (...args: string[]) =>
      (await promisify(execFile)(kubectl, args, { env, cwd: folder })).stdout
        .trimEnd()
        .split("\n")
        .map((line) => line.trimEnd().replace(/ +/g, " "));
    await expect(prints("top", "pods")).rejects.toThrow("error: Metrics API not available");

    const client = createClient(cluster.transport);
    const usage = { cpu: "250m", memory: "64Mi", containers: { sidecar: { cpu: "5m" } } };
    await client.create(PodStage, { metadata: { name: "busy" }, spec: { usage } });
    const containers = ["main", "sidecar"].map((name) => ({ name, image: "x:1" }));
    await client.create(Pod, { metadata: { name: "web", labels: { app: "web" } }, spec: { containers } });
    await until(async () => (await client.get(Pod, "web")).status?.phase === "Running");

    expect(await prints("top", "pods")).toEqual(["NAME CPU(cores) MEMORY(bytes)", "web 255m 128Mi"]);
    expect(await prints("top", "pod", "web", "--containers", "--no-headers")).toEqual([
      "web main 250m 64Mi",
      "web sidecar 5m 64Mi",
    ]);
    expect(await prints("top", "pods", "-A", "-l", "app=web", "--no-headers", "--sum")).toEqual([
      "default web 255m 128Mi",
      " ________ ________",
      " 255m 128Mi",
    ]);
    expect(await prints("top", "nodes")).toEqual([
      "NAME CPU(cores) CPU(%) MEMORY(bytes) MEMORY(%)",
      "node-1 255m 3% 128Mi 0%",
    ]);
    expect(await prints("get", "pods.metrics.k8s.io")).toEqual(["NAME CPU MEMORY WINDOW", "web 255m 128Mi 15s"]);
    expect((await prints("get", "apiservice", "v1beta1.metrics.k8s.io", "--no-headers"))[0]).toMatch(
      /^v1beta1\.metrics\.k8s\.io kube-system\/metrics-server True \w+$/,
    );
    // The core Pods resource still wins over pods.metrics.k8s.io.
    expect((await prints("get", "pods", "--no-headers"))[0]).toMatch(/^web 2\/2 Running 0 \w+$/);
  } finally {
    await rm(folder, { recursive: true });
  }
});

async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setImmediate(resolve));
}
