import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { OperatorError } from "@kubewright/core/errors";
import type { ClusterState, ClusterStates } from "./cluster-state.js";
import { mergeKubeconfig, unmergeKubeconfig } from "./merge-kubeconfig.js";

/** First line of every kubeconfig that this command writes. A file without it belongs to the user. */
const header = "# Written by kubewright cluster start";

/** Rejects with CONFIG_INVALID when a kubeconfig file exists that this command did not write. */
export async function checkKubeconfigFile(file: string): Promise<void> {
  const content = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw new OperatorError("CONFIG_INVALID", `Cannot write kubeconfig "${file}": ${error.message}`, { cause: error });
  });
  if (content !== undefined && !content.startsWith(header))
    throw new OperatorError(
      "CONFIG_INVALID",
      `Cannot write kubeconfig "${file}": it contains a configuration of your own; name another file, or use --merge-kubeconfig`,
    );
}

/** Writes what lets clients and the other commands find a cluster: its kubeconfig file or context, then its state file. */
export async function writeClusterFiles(
  states: ClusterStates,
  state: ClusterState,
  setContext: boolean,
): Promise<void> {
  const { name, kubeconfig, kubeconfigFile, mergedInto } = state;
  if (kubeconfigFile !== undefined) {
    await mkdir(dirname(kubeconfigFile), { recursive: true });
    await writeFile(kubeconfigFile, `${header}\n${kubeconfig}`, { mode: 0o600 });
  }
  if (mergedInto !== undefined) await mergeKubeconfig(kubeconfig, { file: mergedInto, name, setContext });
  await states.write(state);
}

/** Removes a cluster's kubeconfig file and its context. A file that another cluster has replaced stays. */
export async function removeKubeconfig({ name, kubeconfig, kubeconfigFile, mergedInto }: ClusterState): Promise<void> {
  if (kubeconfigFile !== undefined) {
    const content = await readFile(kubeconfigFile, "utf8").catch(() => undefined);
    if (content === `${header}\n${kubeconfig}`) await rm(kubeconfigFile, { force: true });
  }
  if (mergedInto !== undefined) await unmergeKubeconfig(mergedInto, name);
}

/** Removes every file of a cluster whose process has terminated. */
export async function removeClusterFiles(states: ClusterStates, state: ClusterState): Promise<void> {
  await removeKubeconfig(state);
  await states.remove(state);
}
