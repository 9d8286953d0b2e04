import { readFile, rename, writeFile } from "node:fs/promises";
import { type Cluster, parseSnapshot, startCluster } from "@kubewright/cluster";
import type { RealNode } from "@kubewright/cluster/real-node";
import { sleep, systemClock } from "@kubewright/core/clock";
import { OperatorError } from "@kubewright/core/errors";
import type { ClusterRequest, ClusterResponse, ClusterState, ClusterStates } from "./cluster-state.js";

/** How often a cluster looks for requests of other processes. */
const pollMs = 250;
/** How long controllers may take to finish their work before a snapshot. */
const idleMs = 10_000;

/** A cluster that handles requests of other processes. */
export interface RequestedCluster {
  readonly cluster: Cluster;
  readonly state: ClusterState;
  /** How many simulated nodes it has; undefined without controllers. */
  readonly nodes: number | undefined;
  /** Its real node, if it has one. */
  readonly node?: RealNode | undefined;
}

/** Handles requests for a cluster of this process. Resolves when the signal aborts, or another process asked it to stop. */
export async function serveRequests(
  served: RequestedCluster,
  states: ClusterStates,
  signal: AbortSignal,
): Promise<void> {
  const { state } = served;
  while (!signal.aborted && !(await states.isStopRequested(state))) {
    const request = await states.takeRequest(state);
    if (request !== undefined) await states.respond(state, await responseTo(request, served));
    await sleep(systemClock, pollMs, signal);
  }
}

async function responseTo(request: ClusterRequest, served: RequestedCluster): Promise<ClusterResponse> {
  const { id, action, file = "" } = request;
  const { cluster, nodes, node } = served;
  try {
    switch (action) {
      case "snapshot":
        return { id, objects: await writeSnapshot(cluster, file) };
      case "restore":
        await cluster.restore(parseSnapshot(await readFile(file, "utf8")));
        return { id };
      case "reset":
        await cluster.restore(await newCluster(nodes));
        return { id };
      case "load-image":
        if (node === undefined)
          throw new OperatorError("CONFIG_INVALID", 'it has no real node; start it with "--real-node"');
        await node.importImage(await readFile(file));
        return { id };
      default:
        return action satisfies never;
    }
  } catch (error) {
    return { id, error: error instanceof Error ? error.message : String(error) };
  }
}

async function writeSnapshot(cluster: Cluster, file: string): Promise<number> {
  await untilIdle(cluster);
  const text = String(cluster.snapshot());
  await writeFile(`${file}.new`, text, { mode: 0o600 });
  await rename(`${file}.new`, file);
  return text.split("\n").length - 2;
}

/** The objects that a cluster of this kind has when it has just started. */
async function newCluster(nodes: number | undefined) {
  await using fresh = await startCluster(nodes === undefined ? {} : { workloads: { nodes } });
  await untilIdle(fresh);
  return parseSnapshot(String(fresh.snapshot()));
}

async function untilIdle(cluster: Cluster): Promise<void> {
  const limitMs = systemClock.monotonic() + idleMs;
  while (!cluster.idle) {
    if (systemClock.monotonic() > limitMs)
      throw new OperatorError(
        "WAIT_TIMEOUT",
        `it is not idle after ${idleMs / 1_000} s (${cluster.busy().slice(0, 3).join("; ")}); try again when its controllers have settled`,
      );
    await sleep(systemClock, 20);
  }
}
