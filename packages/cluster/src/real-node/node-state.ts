import { existsSync, mkdirSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { isRunning, type ProcessIdentity, startTimeOf } from "../process/index.js";
import { removeCgroup } from "./cgroups.js";
import { attempt, run } from "./commands.js";
import { nodeFolders, shimSockets } from "./containerd.js";
import { deleteNetwork, type NodeNetwork, nodeNetwork } from "./node-network.js";

/** Below it each node has a folder, named by its number. On disk: overlay file systems need it. */
const stateFolder = "/var/lib/kubewright/nodes";

/** Most nodes of one machine; each has subnets of its own. */
const mostNodes = 256;

/** Symbolic links that kubelets make for log collectors. */
const linkFolder = "/var/log/containers";

/** Results of CNI plugins, by network, container and interface. */
const cniResults = "/var/lib/cni/results";

/** What a node occupies on the machine. It is written before anything is made, so that it can be removed after a crash. */
export interface NodeState {
  readonly folder: string;
  readonly network: NodeNetwork;
  /** The cgroup of its pods. */
  readonly cgroup: string;
}

/** Claims a free number for a node of this process. Removes what a process left behind that has ended. */
export async function claimNode(): Promise<NodeState> {
  mkdirSync(stateFolder, { recursive: true });
  await removeLeftovers();
  for (let number = 0; number < mostNodes; number++) {
    const state = stateOf(number);
    try {
      // Fails if another process has just claimed the number.
      mkdirSync(state.folder);
    } catch {
      continue;
    }
    const owner: ProcessIdentity = { pid: process.pid, startTime: startTimeOf(process.pid) ?? "" };
    writeFileSync(ownerFile(state), JSON.stringify(owner));
    return state;
  }
  throw new Error(`Cannot start a node: ${mostNodes} nodes run on this machine`);
}

/** Removes the nodes whose processes have ended without cleaning up. Resolves with their folders. */
export async function removeLeftovers(): Promise<readonly string[]> {
  if (!existsSync(stateFolder)) return [];
  const left = readdirSync(stateFolder)
    .filter((name) => /^\d+$/.test(name))
    .map((name) => stateOf(Number(name)))
    .filter((state) => !hasOwner(state));
  for (const state of left) await removeNode(state);
  return left.map(({ folder }) => folder);
}

/** Ends every process of a node, and removes its mounts, cgroups, network and files. */
export async function removeNode(state: NodeState): Promise<void> {
  const { folder, network, cgroup } = state;
  await endProcesses(network.namespace);
  await removeCgroup(cgroup);
  await unmountBelow(folder);
  for (const socket of shimSockets(nodeFolders(folder))) rmSync(socket, { force: true });
  await deleteNetwork(network);
  if (existsSync(linkFolder))
    for (const name of readdirSync(linkFolder)) {
      const link = join(linkFolder, name);
      if (targetOf(link).startsWith(`${folder}/`)) rmSync(link);
    }
  removeCniResults(network.namespace);
  rmSync(folder, { recursive: true, force: true });
}

/** Those of the network, and those of the loopback interfaces of the same containers. */
function removeCniResults(network: string): void {
  if (!existsSync(cniResults)) return;
  const names = readdirSync(cniResults);
  for (const name of names) {
    if (!name.startsWith(`${network}-`)) continue;
    const container = name.slice(network.length + 1).split("-", 1)[0] ?? "";
    for (const other of names.filter((one) => one.includes(container)))
      rmSync(join(cniResults, other), { force: true });
  }
}

function stateOf(number: number): NodeState {
  const namespace = `kubewright-${number}`;
  return { folder: join(stateFolder, String(number)), network: nodeNetwork(namespace, number), cgroup: namespace };
}

function ownerFile({ folder }: NodeState): string {
  return join(folder, "owner");
}

function hasOwner(state: NodeState): boolean {
  try {
    return isRunning(JSON.parse(readFileSync(ownerFile(state), "utf8")) as ProcessIdentity);
  } catch {
    return false;
  }
}

/** Kills the processes of a network namespace: kubelet, containerd and its shims. Those of pods have namespaces of their own. */
async function endProcesses(namespace: string): Promise<void> {
  for (let tries = 0; tries < 50; tries++) {
    const pids = await run("ip", "netns", "pids", namespace).catch(() => "");
    if (pids.trim() === "") return;
    await attempt("kill", "-KILL", ...pids.trim().split("\n"));
    await delay(100);
  }
}

async function unmountBelow(folder: string): Promise<void> {
  const mounts = readFileSync("/proc/self/mountinfo", "utf8")
    .split("\n")
    .map((line) => line.split(" ")[4] ?? "")
    .map((path) => path.replaceAll(/\\([0-7]{3})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 8))))
    .filter((path) => path.startsWith(`${folder}/`));
  // The last mounted first.
  for (const path of mounts.reverse()) await attempt("umount", "-l", path);
}

function targetOf(link: string): string {
  try {
    return readlinkSync(link);
  } catch {
    return "";
  }
}
