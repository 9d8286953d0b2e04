import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import {
  installedNodePrograms,
  missingForRealNode,
  type NodePlace,
  placeRealNode,
  type RealNode,
} from "@kubewright/cluster/real-node";
import { silentLogger } from "@kubewright/core/log";
import { build } from "esbuild";
import { type Client, createClient, waitFor } from "kubewright";
import { Deployment } from "kubewright/k8s/apps/v1";
import { Pod } from "kubewright/k8s/core/v1";
import type { JoinablePlane } from "../../conformance/real-node/joinable-plane.js";
import { startKillablePlane } from "../../conformance/real-node/killable-plane.js";
import { startRealPlane } from "../../conformance/real-node/real-plane.js";
import type { Comparison } from "./comparison.js";

const root = join(import.meta.dirname, "..", "..");

/** Which every node has: a pod of it starts no program of its own. */
const image = "kubewright.dev/pause:1";
const replicas = 30;
const idleMs = 20_000;

interface Measured {
  readonly firstPodSeconds: number;
  readonly planeMib: number;
  readonly nodeMib: number;
  readonly podsPerMinute: number;
}

/** Compares a one-node cluster on the embedded control plane with one on the real control plane, one after the other, with the same node. */
export async function measureRealNode(): Promise<Comparison[]> {
  const missing = missingForRealNode(installedNodePrograms());
  if (missing.length > 0) throw new Error(`Cannot measure a real node. Missing:\n${missing.join("\n")}`);
  const program = await bundledPlane();
  const ours = await measure((place) => startKillablePlane(place, program));
  console.error("embedded control plane:", ours);
  const theirs = await measure(startRealPlane);
  console.error("real control plane:", theirs);
  const of = (name: string, unit: string, field: keyof Measured, moreIsBetter = false): Comparison => ({
    name,
    unit,
    ours: ours[field],
    theirs: theirs[field],
    moreIsBetter,
    goal: 1,
  });
  return [
    of("Start to the first running pod", "s", "firstPodSeconds"),
    of("Idle memory of the control plane", "MiB", "planeMib"),
    of("Idle memory of the node's programs", "MiB", "nodeMib"),
    of(`Pods started, ${replicas} at once`, "1/min", "podsPerMinute", true),
  ];
}

/** The embedded control plane with built packages, as users run it. */
async function bundledPlane(): Promise<{ file: string; execArgv: string[] }> {
  const built = spawnSync(process.execPath, [...process.execArgv, join(root, "tools", "build", "main.ts")], {
    cwd: root,
    encoding: "utf8",
  });
  if (built.status !== 0) throw new Error(`Cannot measure: the build failed: ${built.stdout}${built.stderr}`);
  const file = join(root, "bench", "dist", "plane-process.mjs");
  await build({
    entryPoints: [join(root, "conformance", "real-node", "plane-process.ts")],
    outfile: file,
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20.19",
    packages: "external",
    logLevel: "error",
  });
  return { file, execArgv: [] };
}

async function measure(startPlane: (place: NodePlace) => Promise<JoinablePlane>): Promise<Measured> {
  const place = await placeRealNode(installedNodePrograms());
  let plane: JoinablePlane | undefined;
  let node: RealNode | undefined;
  try {
    const startedMs = performance.now();
    plane = await startPlane(place);
    node = await place.start({ name: "real", logger: silentLogger, ...plane });
    const client = createClient(plane.transport);
    await client.create(Pod, {
      metadata: { name: "first" },
      spec: { terminationGracePeriodSeconds: 0, containers: [{ name: "pause", image }] },
    });
    await waitFor(client, Pod, "first", { until: (pod) => pod?.status?.phase === "Running", timeout: "2m" });
    const firstPodSeconds = (performance.now() - startedMs) / 1_000;
    await delay(idleMs);
    const memory = residentMib(place);
    return { firstPodSeconds, ...memory, podsPerMinute: await podsPerMinute(client) };
  } finally {
    await (node === undefined ? place.remove() : node.stop());
    await plane?.stop();
  }
}

async function podsPerMinute(client: Client): Promise<number> {
  const startedMs = performance.now();
  const labels = { app: "pause" };
  await client.create(Deployment, {
    metadata: { name: "pause" },
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: { terminationGracePeriodSeconds: 0, containers: [{ name: "pause", image }] },
      },
    },
  });
  await waitFor(client, Deployment, "pause", {
    until: (found) => found?.status?.readyReplicas === replicas,
    timeout: "5m",
  });
  return (replicas * 60_000) / (performance.now() - startedMs);
}

/** Memory of the processes that this one started: the node's are in a network namespace of their own. Shims of containers do not count. */
function residentMib({ nodeAddress }: NodePlace): Pick<Measured, "planeMib" | "nodeMib"> {
  const home = readlinkSync("/proc/self/ns/net");
  const folder = `/nodes/${nodeAddress.split(".")[2]}/`;
  const children = new Map<number, number[]>();
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  for (const pid of pids.map(Number)) {
    const parent = Number(/^PPid:\s+(\d+)/m.exec(read(pid, "status"))?.[1] ?? 0);
    children.set(parent, [...(children.get(parent) ?? []), pid]);
  }
  const below = (pid: number): number[] => (children.get(pid) ?? []).flatMap((child) => [child, ...below(child)]);
  const sum = { planeMib: 0, nodeMib: 0 };
  for (const pid of below(process.pid)) {
    const mib = Number(/^VmRSS:\s+(\d+)/m.exec(read(pid, "status"))?.[1] ?? 0) / 1_024;
    if (networkOf(pid) !== home || read(pid, "cmdline").includes(folder)) sum.nodeMib += mib;
    else sum.planeMib += mib;
  }
  return sum;
}

function read(pid: number, file: string): string {
  try {
    return readFileSync(join("/proc", String(pid), file), "utf8");
  } catch {
    return ""; // It has ended.
  }
}

function networkOf(pid: number): string | undefined {
  try {
    return readlinkSync(join("/proc", String(pid), "ns", "net"));
  } catch {
    return undefined;
  }
}
