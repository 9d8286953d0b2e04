import { type ClusterHealth, type ClusterState, ClusterStates, healthOf } from "./cluster-state.js";
import type { CommandStreams } from "./command-streams.js";
import { type ExitCode, exitCodes } from "./exit-codes.js";

/** The options of `kubewright cluster status`. */
export interface ClusterStatusOptions {
  /** @default all clusters */
  readonly name?: string;
  readonly output: string;
}

/** Prints the clusters of this user, those included whose process was killed. */
export async function clusterStatusCommand(
  { name, output }: ClusterStatusOptions,
  { out, environment = process.env }: CommandStreams,
): Promise<ExitCode> {
  const states = new ClusterStates(environment);
  const found =
    name === undefined ? await states.list() : [await states.read(name)].filter((state) => state !== undefined);
  const clusters = await Promise.all(found.map(async (state) => ({ state, health: await healthOf(state) })));
  if (output === "json") out.write(`${JSON.stringify(clusters.map(statusOf))}\n`);
  else if (clusters.length === 0)
    out.write(name === undefined ? "No cluster is running\n" : `No cluster "${name}" is running\n`);
  else for (const { state, health } of clusters) out.write(`${lineOf(state, health)}\n`);
  const has = (expected: ClusterHealth): boolean => clusters.some(({ health }) => health === expected);
  if (has("running")) return exitCodes.done;
  return has("unresponsive") ? exitCodes.failed : exitCodes.notRunning;
}

function statusOf({ state, health }: { readonly state: ClusterState; readonly health: ClusterHealth }): unknown {
  const { name, url, pid, dataDir, kubeconfigFile, mergedInto, startedAt } = state;
  return { name, state: health, url, pid, dataDir, kubeconfig: kubeconfigFile ?? mergedInto, startedAt };
}

function lineOf({ name, url, pid, dataDir, startedAt }: ClusterState, health: ClusterHealth): string {
  switch (health) {
    case "running":
      return `${name}: running on ${url}, process ${pid}, since ${startedAt}, in ${dataDir ?? "memory"}`;
    case "unresponsive":
      return `${name}: process ${pid} is running, but does not respond on ${url}; "kubewright cluster stop --name ${name}" stops it`;
    case "terminated":
      return `${name}: not running; process ${pid} terminated without cleaning up`;
    default:
      return health satisfies never;
  }
}
