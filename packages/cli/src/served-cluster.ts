import { resolve } from "node:path";
import { type AdmissionPluginName, type Cluster, type ClusterOptions, startCluster } from "@kubewright/cluster";
import { startTimeOf } from "@kubewright/cluster/process";
import { systemClock } from "@kubewright/core/clock";
import { OperatorError } from "@kubewright/core/errors";
import { removeClusterFiles, removeKubeconfig, writeClusterFiles } from "./cluster-files.js";
import { type ClusterState, type ClusterStates, healthOf } from "./cluster-state.js";
import { userKubeconfig } from "./merge-kubeconfig.js";

/** How a cluster is served. */
export interface ServeClusterOptions
  extends Pick<ClusterOptions, "workloads" | "webhookTransport" | "auditPolicy" | "auditLogPath"> {
  /** Checked when the cluster starts. */
  readonly enableAdmissionPlugins?: readonly string[];
  readonly disableAdmissionPlugins?: readonly string[];
  readonly name: string;
  readonly states: ClusterStates;
  readonly environment: NodeJS.ProcessEnv;
  /** Undefined: merged into the user's kubeconfig. */
  readonly kubeconfigFile: string | undefined;
  readonly setContext?: boolean;
  /** On 127.0.0.1. @default a free one */
  readonly port?: number;
  /** @default in memory */
  readonly dataDir?: string;
}

/** An embedded cluster of this process that kubectl and the other commands find, until it is disposed. */
export interface ServedCluster extends AsyncDisposable {
  readonly cluster: Cluster;
  readonly state: ClusterState;
}

/** Starts a cluster, listens, and writes its kubeconfig and its state file; both are removed when it is disposed. */
export async function serveCluster(options: ServeClusterOptions): Promise<ServedCluster> {
  const { name, states, environment, kubeconfigFile, workloads, webhookTransport, port } = options;
  const dataDir = options.dataDir === undefined ? undefined : resolve(options.dataDir);
  const cluster = await startCluster({
    ...(workloads !== undefined && { workloads }),
    ...(webhookTransport && { webhookTransport }),
    ...pluginsOf(options),
    ...(options.auditPolicy && { auditPolicy: options.auditPolicy }),
    ...(options.auditLogPath !== undefined && { auditLogPath: options.auditLogPath }),
    ...(dataDir !== undefined && { dataDir }),
  });
  let state: ClusterState | undefined;
  const close = async (): Promise<void> => {
    try {
      // The state file, not what this process wrote: "cluster kubeconfig --merge" may have added a context since.
      if (state) await removeKubeconfig((await states.read(state.name)) ?? state);
    } finally {
      await cluster.close();
      // Last: "cluster stop" takes it as the sign that the data directory is free.
      if (state) await states.remove(state);
    }
  };
  try {
    const { url, caCertificate, kubeconfig } = await cluster.listen({
      host: "127.0.0.1",
      ...(port !== undefined && { port }),
    });
    state = {
      name,
      pid: process.pid,
      processStartTime: startTimeOf(process.pid) ?? "",
      url,
      caCertificate,
      kubeconfig,
      ...(kubeconfigFile === undefined ? { mergedInto: userKubeconfig(environment) } : { kubeconfigFile }),
      ...(dataDir !== undefined && { dataDir }),
      startedAt: new Date(systemClock.now()).toISOString(),
    };
    await writeClusterFiles(states, state, options.setContext === true);
  } catch (error) {
    await close();
    throw error;
  }
  let closed: Promise<void> | undefined;
  const dispose = (): Promise<void> => {
    closed ??= close();
    return closed;
  };
  return { cluster, state, [Symbol.asyncDispose]: dispose };
}

/** The cluster rejects names that it does not know. */
function pluginsOf({ enableAdmissionPlugins: enable, disableAdmissionPlugins: disable }: ServeClusterOptions) {
  return {
    ...(enable && { enableAdmissionPlugins: enable as readonly AdmissionPluginName[] }),
    ...(disable && { disableAdmissionPlugins: disable as readonly AdmissionPluginName[] }),
  };
}

/** Removes what a terminated cluster of that name left behind. Rejects with CLUSTER_START_FAILED when it is running. */
export async function replaceTerminated(states: ClusterStates, name: string): Promise<void> {
  const state = await states.read(name);
  if (!state) return;
  if ((await healthOf(state)) === "terminated") return await removeClusterFiles(states, state);
  throw new OperatorError(
    "CLUSTER_START_FAILED",
    `Cannot start cluster "${name}": it is already running, as process ${state.pid} on ${state.url}; stop it, or use another --name`,
  );
}
