import { isRunning, systemProcesses } from "@kubewright/cluster/process";
import { type Clock, sleep, systemClock } from "@kubewright/core/clock";
import { OperatorError } from "@kubewright/core/errors";
import { removeClusterFiles } from "./cluster-files.js";
import { type ClusterState, ClusterStates, healthOf } from "./cluster-state.js";
import type { CommandStreams } from "./command-streams.js";
import { type ExitCode, exitCodes } from "./exit-codes.js";

/** The options of `kubewright cluster stop`. */
export interface ClusterStopOptions {
  readonly name: string;
  /** Every cluster of this user. */
  readonly all?: boolean;
  readonly output?: string;
}

/** How long a cluster may take to close its requests before its process is killed. */
const gracePeriodMs = 20_000;
/** How long a killed process may take to terminate. */
const killPeriodMs = 5_000;
const pollMs = 50;

/** Stops clusters that other processes run. Resolves when each has released its data directory and its files are removed. */
export async function stopClusterCommand(
  { name, all, output = "text" }: ClusterStopOptions,
  { out, err, environment = process.env }: CommandStreams,
  clock: Clock = systemClock,
): Promise<ExitCode> {
  const states = new ClusterStates(environment);
  const found = all === true ? await states.list() : [await states.read(name)].filter((state) => state !== undefined);
  const stopped: { readonly name: string; readonly killed: boolean }[] = [];
  for (const state of found) {
    if ((await healthOf(state)) === "terminated") {
      await removeClusterFiles(states, state);
      err.write(`Cluster "${state.name}" was not running; removed the files that process ${state.pid} left behind\n`);
      continue;
    }
    const killed = (await stop(states, state, clock)) === "killed";
    stopped.push({ name: state.name, killed });
    if (output === "json") continue;
    const how = killed ? `; killed process ${state.pid}, which did not stop within ${gracePeriodMs / 1_000} s` : "";
    out.write(`Stopped cluster "${state.name}"${how}\n`);
  }
  if (output === "json") out.write(`${JSON.stringify({ stopped })}\n`);
  if (stopped.length > 0 || all === true) return exitCodes.done;
  if (found.length === 0)
    err.write(
      `Cannot stop cluster "${name}": no cluster of that name is running; kubewright cluster status lists yours, kubewright cluster start starts one\n`,
    );
  return exitCodes.notRunning;
}

/** Requests a stop, and kills the process when it does not stop within the grace period. */
async function stop(states: ClusterStates, state: ClusterState, clock: Clock): Promise<"stopped" | "killed"> {
  const { name, pid, processStartTime: startTime } = state;
  await states.requestStop(state);
  // Removing its state file is the last thing that a cluster does.
  const hasStopped = async (): Promise<boolean> => (await states.read(name))?.pid !== pid;
  const hasTerminated = async (): Promise<boolean> => !isRunning({ pid, startTime });
  const isDone = async (): Promise<boolean> => (await hasStopped()) || !systemProcesses.exists(pid);
  const wasDone = await becomesTrue(isDone, gracePeriodMs, clock);
  if (!wasDone && !(await hasTerminated())) {
    process.kill(pid, "SIGKILL");
    if (!(await becomesTrue(hasTerminated, killPeriodMs, clock)))
      throw new OperatorError("CLUSTER_START_FAILED", `Cannot stop cluster "${name}": process ${pid} cannot be killed`);
  }
  if (!(await hasStopped())) await removeClusterFiles(states, state);
  return wasDone ? "stopped" : "killed";
}

/** Polls: file system events get lost on some file systems, and the end of a process that is not a child raises none. */
async function becomesTrue(condition: () => Promise<boolean>, withinMs: number, clock: Clock): Promise<boolean> {
  const deadlineMs = clock.monotonic() + withinMs;
  while (!(await condition())) {
    if (clock.monotonic() >= deadlineMs) return false;
    await sleep(clock, pollMs);
  }
  return true;
}
