import { watch } from "node:fs";
import { type Clock, systemClock } from "@kubewright/core/clock";
import { OperatorError } from "@kubewright/core/errors";
import { type ClusterState, ClusterStates, healthOf } from "./cluster-state.js";
import type { CommandStreams } from "./command-streams.js";
import { type ExitCode, exitCodes } from "./exit-codes.js";
import { unmergeKubeconfig } from "./merge-kubeconfig.js";

/** The options of `kubewright cluster stop`. */
export interface ClusterStopOptions {
  readonly name: string;
  /** Every cluster of this user. */
  readonly all?: boolean;
}

/** How long a cluster may take to end its requests. */
const patienceMs = 20_000;

/** Stops a cluster that runs elsewhere; resolves when it has cleaned up after itself. What a killed one left is taken away. */
export async function stopClusterCommand(
  { name, all }: ClusterStopOptions,
  { out, err, environment = process.env }: CommandStreams,
  clock: Clock = systemClock,
): Promise<ExitCode> {
  const states = new ClusterStates(environment);
  const found = all === true ? await states.list() : [await states.read(name)].filter((state) => state !== undefined);
  let stopped = 0;
  for (const state of found) {
    if ((await healthOf(state)) === "gone") {
      await cleanUp(states, state);
      err.write(`Cluster "${state.name}" had ended without cleaning up; done now\n`);
      continue;
    }
    await stop(states, state, clock);
    stopped++;
    out.write(`Stopped cluster "${state.name}"\n`);
  }
  if (stopped > 0 || all === true) return exitCodes.done;
  if (found.length === 0) err.write(`Cannot stop cluster "${name}": none of that name is running\n`);
  return exitCodes.notRunning;
}

async function stop(states: ClusterStates, state: ClusterState, clock: Clock): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    // The last thing that a cluster does is to take its state away.
    const watcher = watch(states.folder, () => void look());
    const timer = clock.startTimer(patienceMs, () =>
      end(() =>
        reject(
          new OperatorError(
            "CLUSTER_START_FAILED",
            `Cannot stop cluster "${state.name}": process ${state.pid} did not end within ${patienceMs / 1_000} s`,
          ),
        ),
      ),
    );
    const end = (settle: () => void): void => {
      watcher.close();
      timer.cancel();
      settle();
    };
    const look = async (): Promise<void> => {
      if ((await states.read(state.name))?.pid !== state.pid) end(resolve);
    };
    process.kill(state.pid, "SIGTERM");
  });
}

async function cleanUp(states: ClusterStates, state: ClusterState): Promise<void> {
  if (state.mergedInto !== undefined) await unmergeKubeconfig(state.mergedInto, state.name);
  await states.remove(state);
}
