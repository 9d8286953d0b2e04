import { type ChildProcess, execFile, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ControlPlane, type ControlPlaneUser, findBinary, startControlPlane } from "./index.js";

const execute = promisify(execFile);
// KUBEBUILDER_ASSETS contains neither kube-controller-manager nor kube-scheduler; tests that need them are skipped with a message.
const hasManager = findBinary("kube-controller-manager") !== undefined && findBinary("kube-scheduler") !== undefined;
if (!hasManager)
  process.stderr.write(
    "No kube-controller-manager and kube-scheduler on this machine: tests that need them are skipped\n",
  );
let first: ControlPlane;
let second: ControlPlane;
beforeAll(async () => {
  [first, second] = await Promise.all([
    startControlPlane({ controllerManager: hasManager && ["garbage-collector-controller", "namespace-controller"] }),
    startControlPlane({ scheduler: hasManager }),
  ]);
});
afterAll(async () => {
  await Promise.all([first.stop(), second.stop()]);
});

async function kubectl(plane: ControlPlane, user: ControlPlaneUser, ...args: string[]): Promise<string> {
  const binary = findBinary("kubectl");
  if (binary === undefined) throw new Error("kubectl is missing");
  const { stdout } = await execute(binary, ["--kubeconfig", plane.kubeconfigFile(user), ...args]);
  return stdout.trim();
}

test("two control planes run at the same time with separate objects", async () => {
  await kubectl(first, first.admin, "create", "configmap", "only-first", "--from-literal=a=1");
  await kubectl(second, second.admin, "create", "configmap", "only-second", "--from-literal=a=1");
  expect(await kubectl(first, first.admin, "get", "configmaps", "-o", "name")).toBe("configmap/only-first");
  expect(await kubectl(second, second.admin, "get", "configmaps", "-o", "name")).toBe("configmap/only-second");
  expect(JSON.parse(await kubectl(first, first.admin, "version", "-o", "json"))).toMatchObject({
    clientVersion: { gitVersion: expect.stringMatching(/^v1\.36\./) },
    serverVersion: { gitVersion: expect.stringMatching(/^v1\.36\./) },
  });
});

test("the restricted user is forbidden to list Secrets until a Role is bound to it", async () => {
  const read = (): Promise<string> => kubectl(second, second.restricted, "get", "secrets", "-o", "name");
  await expect(read()).rejects.toMatchObject({
    stderr: expect.stringContaining(
      `User "restricted" cannot list resource "secrets" in API group "" in the namespace "default"`,
    ),
  });
  await kubectl(second, second.admin, "create", "role", "reader", "--verb=list", "--resource=secrets");
  await kubectl(second, second.admin, "create", "rolebinding", "reader", "--role=reader", "--user=restricted");
  expect(await read()).toBe("");
});

test("a client certificate authenticates a user, and its organization is the user's group", async () => {
  const admin = first.certificateUser("certified-admin", "system:masters");
  expect(JSON.parse(await kubectl(first, admin, "auth", "whoami", "-o", "json"))).toMatchObject({
    status: { userInfo: { username: "certified-admin", groups: ["system:masters", "system:authenticated"] } },
  });
  await expect(kubectl(first, first.certificateUser("stranger"), "get", "secrets")).rejects.toMatchObject({
    stderr: expect.stringContaining(`User "stranger" cannot list resource "secrets"`),
  });
});

test.skipIf(!hasManager)("kube-controller-manager garbage-collects the dependents of a deleted owner", async () => {
  await kubectl(first, first.admin, "create", "configmap", "owner");
  const uid = await kubectl(first, first.admin, "get", "configmap", "owner", "-o", "jsonpath={.metadata.uid}");
  await kubectl(first, first.admin, "create", "configmap", "child");
  const ownerReferences = [{ apiVersion: "v1", kind: "ConfigMap", name: "owner", uid }];
  await kubectl(
    first,
    first.admin,
    "patch",
    "configmap",
    "child",
    "--type=merge",
    "-p",
    JSON.stringify({ metadata: { ownerReferences } }),
  );
  await kubectl(first, first.admin, "delete", "configmap", "owner");
  await kubectl(first, first.admin, "wait", "--for=delete", "configmap/child", "--timeout=30s");
});

test("a binary that fails to start is an error with its last output", async () => {
  const before = process.env["TEST_ASSET_ETCD"];
  process.env["TEST_ASSET_ETCD"] = "/bin/false";
  try {
    await expect(startControlPlane()).rejects.toMatchObject({
      code: "CLUSTER_START_FAILED",
      message: expect.stringContaining("Cannot start etcd: it exited"),
    });
  } finally {
    if (before === undefined) delete process.env["TEST_ASSET_ETCD"];
    else process.env["TEST_ASSET_ETCD"] = before;
  }
});

test("a missing binary is named", async () => {
  const before = { ...process.env };
  process.env["XDG_CACHE_HOME"] = "/nowhere";
  delete process.env["KUBEBUILDER_ASSETS"];
  try {
    await expect(startControlPlane({ scheduler: true })).rejects.toThrow(
      /etcd, kube-apiserver, kube-scheduler not found; run "npm run real:install"/,
    );
  } finally {
    process.env = before;
  }
});

test("after SIGKILL of the process that started it, no process and no file of a control plane is left", async () => {
  const source = `
    import { startControlPlane } from "@kubewright/testing/control-plane";
    const plane = await startControlPlane({ controllerManager: ${hasManager} && ["namespace-controller"] });
    console.log(plane.dir);
    setInterval(() => {}, 1_000);
  `;
  const starter = spawn(
    process.execPath,
    ["--conditions=kubewright-source", "--import=tsx", "--input-type=module", "--eval", source],
    {
      cwd: import.meta.dirname,
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  const folder = await firstLine(starter);
  expect(existsSync(folder)).toBe(true);
  expect(await processesOf(folder)).toHaveLength(hasManager ? 3 : 2);
  starter.kill("SIGKILL");
  await expect.poll(() => existsSync(folder), { timeout: 10_000, interval: 50 }).toBe(false);
  await expect.poll(() => processesOf(folder), { timeout: 10_000, interval: 50 }).toEqual([]);
});

function firstLine(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    if (child.stdout === null) return reject(new Error("no standard output"));
    createInterface({ input: child.stdout }).once("line", resolve);
    child.once("exit", (code) => reject(new Error(`The starter exited with code ${code}`)));
  });
}

/** The processes (not their guards) whose command line names the directory. */
async function processesOf(folder: string): Promise<string[]> {
  const { stdout } = await execute("ps", ["-eo", "comm=,args="], { maxBuffer: 2 ** 24 });
  return stdout.split("\n").filter((line) => line.includes(folder) && /^(\S*\/)?(etcd|kube-)/.test(line));
}
