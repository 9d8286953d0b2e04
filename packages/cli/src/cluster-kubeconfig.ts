import { ClusterStates, healthOf } from "./cluster-state.js";
import type { CommandStreams } from "./command-streams.js";
import { type ExitCode, exitCodes } from "./exit-codes.js";
import { contextName, mergeKubeconfig, userKubeconfig } from "./merge-kubeconfig.js";

/** The options of `kubewright cluster kubeconfig`. */
export interface ClusterKubeconfigOptions {
  readonly name: string;
  readonly merge?: boolean;
  readonly setContext?: boolean;
}

/** Prints the kubeconfig of a running cluster, or merges it into the user's. */
export async function clusterKubeconfigCommand(
  { name, merge, setContext }: ClusterKubeconfigOptions,
  { out, err, environment = process.env }: CommandStreams,
): Promise<ExitCode> {
  const states = new ClusterStates(environment);
  const state = await states.read(name);
  if (!state || (await healthOf(state)) === "terminated") {
    err.write(`Cannot show the kubeconfig of cluster "${name}": no cluster of that name is running\n`);
    return exitCodes.notRunning;
  }
  if (merge !== true) {
    out.write(state.kubeconfig);
    return exitCodes.done;
  }
  const file = userKubeconfig(environment);
  await mergeKubeconfig(state.kubeconfig, { file, name, setContext: setContext === true });
  await states.write({ ...state, mergedInto: file });
  const use = setContext === true ? "it is the current context" : `use it with --context ${contextName(name)}`;
  out.write(`Added context "${contextName(name)}" to ${file}; ${use}\n`);
  return exitCodes.done;
}
