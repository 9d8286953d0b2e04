import { resolve } from "node:path";
import { type AdmissionPluginName, type Cluster, type ClusterOptions, startCluster } from "@kubewright/cluster";
import { startTimeOf } from "@kubewright/cluster/process";
import {
  installedNodePrograms,
  type NodePlace,
  placeRealNode,
  publishApiServer,
  type RealNode,
} from "@kubewright/cluster/real-node";
import { systemClock } from "@kubewright/core/clock";
import { OperatorError } from "@kubewright/core/errors";
import { silentLogger } from "@kubewright/core/log";
import { removeClusterFiles, removeKubeconfig, writeClusterFiles } from "./cluster-files.js";
import { type ClusterState, type ClusterStates, healthOf } from "./cluster-state.js";
import { userKubeconfig } from "./merge-kubeconfig.js";

/** How a cluster is served. */
export interface ServeClusterOptions
  extends Pick<ClusterOptions, "workloads" | "webhookTransport" | "auditPolicy" | "auditLogPath" | "tokens"> {
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
  /** Joins this machine as a node that runs containers. @default false */
  readonly realNode?: boolean;
}

/** An embedded cluster of this process that kubectl and the other commands find, until it is disposed. */
export interface ServedCluster extends AsyncDisposable {
  readonly cluster: Cluster;
  readonly state: ClusterState;
  /** With `realNode`. */
  readonly node: RealNode | undefined;
}

/** Starts a cluster, listens, and writes its kubeconfig and its state file; both are removed when it is disposed. */
export async function serveCluster(options: ServeClusterOptions): Promise<ServedCluster> {
  const { name, states, environment, kubeconfigFile, workloads, webhookTransport, port } = options;
  const dataDir = options.dataDir === undefined ? undefined : resolve(options.dataDir);
  const place = options.realNode === true ? await placeRealNode(installedNodePrograms(environment)) : undefined;
  const cluster = await startCluster({
    ...(workloads !== undefined && { workloads }),
    ...(webhookTransport && { webhookTransport }),
    ...pluginsOf(options),
    ...(options.auditPolicy && { auditPolicy: options.auditPolicy }),
    ...(options.tokens && { tokens: options.tokens }),
    ...(options.auditLogPath !== undefined && { auditLogPath: options.auditLogPath }),
    ...(dataDir !== undefined && { dataDir }),
  }).catch(async (error: unknown) => {
    await place?.remove();
    throw error;
  });
  let state: ClusterState | undefined;
  let node: RealNode | undefined;
  const close = async (): Promise<void> => {
    try {
      await (node === undefined ? place?.remove() : node.stop());
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
      ...(place && { names: [place.hostAddress] }),
    });
    if (place) node = await startNode(cluster, place);
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
  return { cluster, state, node, [Symbol.asyncDispose]: dispose };
}

/** The name of the real node: also of the next one, which replaces it after a restart. */
const nodeName = "real-node-1";

/** Starts the node's programs; they reach the API server at the place's address. */
async function startNode({ transport, listen }: Cluster, place: NodePlace): Promise<RealNode> {
  const server = await listen({ host: place.hostAddress });
  await publishApiServer(transport, server.url);
  return await place.start({ name: nodeName, transport, server, logger: silentLogger });
}

/** The cluster rejects names that it does not know. */
function pluginsOf(options: ServeClusterOptions) {
  const { enableAdmissionPlugins: enable = [], disableAdmissionPlugins: disable, realNode } = options;
  // As kubeadm enables it: a kubelet may change only its own Node and the pods on it.
  const enabled = realNode && !disable?.includes("NodeRestriction") ? [...enable, "NodeRestriction"] : enable;
  return {
    enableAdmissionPlugins: enabled as readonly AdmissionPluginName[],
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
