/** A cluster with a real node whose process is killed: the next start removes what is left. */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { installedNodePrograms, nodeImage, placeRealNode } from "@kubewright/cluster/real-node";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { leftoversOf, tracesOf } from "./leftovers.js";
import { canRunNodes, kubectl, limitMs } from "./node-world.js";
import { webProgram } from "./programs.js";

vi.setConfig({ testTimeout: limitMs, hookTimeout: limitMs });

const execute = promisify(execFile);
const root = join(import.meta.dirname, "..", "..");

const manifests = `
apiVersion: v1
kind: PersistentVolumeClaim
metadata: { name: data }
spec: { accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
---
apiVersion: v1
kind: Pod
metadata: { name: web }
spec:
  containers:
    - name: web
      image: example.com/web:1
      args: [upper]
      stdin: true
      volumeMounts: [{ name: data, mountPath: /data }, { name: memory, mountPath: /memory }]
  volumes:
    - { name: data, persistentVolumeClaim: { claimName: data } }
    - { name: memory, emptyDir: { medium: Memory } }
`;

describe.skipIf(!canRunNodes)("a cluster with a real node", () => {
  let folder: string;
  let cluster: ChildProcess | undefined;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "kubewright-killed-"));
  });

  afterEach(() => {
    cluster?.kill("SIGKILL");
    rmSync(folder, { recursive: true });
  });

  test("leaves nothing on the machine, after it was killed and the next one has started", async () => {
    const kubeconfig = join(folder, "kubeconfig");
    const env = { ...process.env, KUBEWRIGHT_STATE_DIR: join(folder, "state"), KUBECONFIG: kubeconfig };
    const main = ["--conditions=kubewright-source", "--import=tsx", join(root, "packages", "cli", "src", "main.ts")];
    const start = ["cluster", "start", "--real-node", "--kubeconfig", kubeconfig, "-o", "json"];
    const child = spawn(process.execPath, [...main, ...start], {
      env,
      cwd: root,
      stdio: ["ignore", "pipe", "inherit"],
    });
    cluster = child;
    await once(createInterface({ input: child.stdout }), "line");
    writeFileSync(join(folder, "web.tar"), await nodeImage({ name: "example.com/web:1", program: webProgram }));
    writeFileSync(join(folder, "web.yaml"), manifests);
    await execute(process.execPath, [...main, "cluster", "load-image", join(folder, "web.tar")], { env, cwd: root });
    const run = async (command: string): Promise<string> =>
      (await execute(kubectl, command.split(" "), { env, timeout: limitMs })).stdout;
    await run(`apply -f ${join(folder, "web.yaml")}`);
    await run("wait --for=condition=Ready pod/web --timeout=100s");
    const address = await run("get nodes -o jsonpath={.items[0].status.addresses[0].address}");
    const traces = tracesOf(address);

    child.kill("SIGKILL");
    await once(child, "exit");
    const left = (await leftoversOf(address, traces)).map((line) => line.split(":")[0]);
    expect([...new Set(left)].sort()).toEqual([
      "cgroup",
      "folder",
      "interface or address",
      "log link",
      "mount",
      "network namespace",
      "process",
      "result of a CNI plugin",
      "route",
      "socket of a shim",
    ]);

    await (await placeRealNode(installedNodePrograms())).remove();
    expect(await leftoversOf(address, traces)).toEqual([]);
  });
});
