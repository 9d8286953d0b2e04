import { type ClusterHealth, type ClusterState, ClusterStates, healthOf } from "./cluster-state.js";
import type { CommandStreams } from "./command-streams.js";
import { type ExitCode, exitCodes } from "./exit-codes.js";

/** The options of `kubewright cluster status`. */
export interface ClusterStatusOptions {
  /** All of them when there is none. */
  readonly name?: string;
  readonly output: string;
}

/** Says which clusters of this user run. A state that was left behind by a killed one is shown as such. */
export async function clusterStatusCommand(
  { name, output }: ClusterStatusOptions,
  { out, environment = process.env }: CommandStreams,
): Promise<ExitCode> {
  const states = new ClusterStates(environment);
  const found =
    name === undefined ? await states.list() : [await states.read(name)].filter((state) => state !== undefined);
  const clusters = await Promise.all(found.map(async (state) => ({ state, health: await healthOf(state) })));
  if (output === "json") out.write(`${JSON.stringify(clusters.map(told))}\n`);
  else if (clusters.length === 0)
    out.write(name === undefined ? "No cluster is running\n" : `No cluster "${name}" is running\n`);
  else for (const { state, health } of clusters) out.write(`${lineOf(state, health)}\n`);
  return clusters.some(({ health }) => health === "running") ? exitCodes.done : exitCodes.notRunning;
}

function told({ state, health }: { readonly state: ClusterState; readonly health: ClusterHealth }): unknown {
  const { name, url, pid, dataDir, kubeconfigFile, mergedInto, startedAt } = state;
  return { name, state: health, url, pid, dataDir, kubeconfig: kubeconfigFile ?? mergedInto, startedAt };
}

function lineOf({ name, url, pid, dataDir, startedAt }: ClusterState, health: ClusterHealth): string {
  switch (health) {
    case "running":
      return `${name}: running on ${url}, process ${pid}, since ${startedAt}, in ${dataDir ?? "memory"}`;
    case "silent":
      return `${name}: process ${pid} does not answer on ${url}`;
    case "gone":
      return `${name}: not running; process ${pid} ended without cleaning up`;
    default:
      return health satisfies never;
  }
}
