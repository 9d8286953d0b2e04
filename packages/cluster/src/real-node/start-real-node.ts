import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { OperatorError } from "@kubewright/core/errors";
import { isJsonObject, type JsonObject } from "@kubewright/core/json";
import type { Logger } from "@kubewright/core/log";
import type { Transport } from "@kubewright/core/transport";
import type { RunningOperator } from "kubewright";
import { createCgroup } from "./cgroups.js";
import { prepareClusterDns, publishDnsServer, withdrawDnsServer } from "./cluster-dns.js";
import { containerd, importImage, nodeFolders, pauseImage } from "./containerd.js";
import { coreDns } from "./coredns.js";
import { imageArchive } from "./image-archive.js";
import { prepareToJoin, type ServerAddress } from "./join-cluster.js";
import { kubeProxy, prepareKubeProxy } from "./kube-proxy.js";
import { kubelet } from "./kubelet.js";
import { startLocalVolumes } from "./local-volumes.js";
import { createNetwork, type NodeNetwork } from "./node-network.js";
import { claimNode, type NodeState, removeNode } from "./node-state.js";
import type { Program } from "./program.js";
import { cniFolder, missingForRealNode, type NodePrograms } from "./requirements.js";
import { approveServingCertificates } from "./serving-certificates.js";

/** A place for a node on this machine: its network exists, its programs do not run yet. */
export interface NodePlace {
  /** Where the API server has to listen, so that the node and its pods reach it. */
  readonly hostAddress: string;
  /** The node's InternalIP. */
  readonly nodeAddress: string;
  /** Starts the node's programs. Resolves when the node is ready. */
  start(options: RealNodeOptions): Promise<RealNode>;
  /** Removes everything of the node from the machine. */
  remove(): Promise<void>;
}

/** The cluster that a node joins. */
export interface RealNodeOptions {
  /** The name of the Node. */
  readonly name: string;
  /** Requests of the administrator. */
  readonly transport: Transport;
  /** As the node reaches it: at the `hostAddress` of its place. */
  readonly server: ServerAddress;
  /** Gets a warning when a certificate of the kubelet cannot be approved. */
  readonly logger: Logger;
}

/** A program of a real node. */
export type NodeProgramName = "containerd" | "coredns" | "kubelet" | "kube-proxy";

/** Ends and starts one program of a node, as an administrator or a crash does. The containers keep running. */
export interface NodeProgram {
  /** Starts it again, unless it runs. Resolves when it is ready. */
  start(): Promise<void>;
  /** Ends it with SIGTERM. Resolves when it has ended. */
  stop(): Promise<void>;
  /** Ends it with SIGKILL. */
  kill(): Promise<void>;
}

/** A node of containerd, CoreDNS, kubelet and kube-proxy, which joined a cluster. */
export interface RealNode {
  readonly name: string;
  /** Has the logs of its programs. */
  readonly logFolder: string;
  /** Imports an image archive, as `docker save` and {@link imageArchive} write it. Pods find it by name; no registry is asked. */
  importImage(archive: Uint8Array): Promise<void>;
  /** Its programs, for tests of what happens without one of them. */
  readonly programs: Readonly<Record<NodeProgramName, NodeProgram>>;
  /** Ends its programs and pods, and removes everything of it from the machine. The Node object stays. */
  stop(): Promise<void>;
}

/**
 * Makes place for a real node: a network namespace that is connected to this machine. Removes what crashed processes left behind.
 *
 * Rejects with CLUSTER_START_FAILED, and what is missing, where no node can run.
 */
export async function placeRealNode(programs: NodePrograms): Promise<NodePlace> {
  const missing = missingForRealNode(programs);
  const plugins = cniFolder();
  if (missing.length > 0 || plugins === undefined)
    throw new OperatorError(
      "CLUSTER_START_FAILED",
      `Cannot run a real node on this machine. Missing:\n${missing.map((one) => `  - ${one}`).join("\n")}`,
    );
  const state = await claimNode();
  try {
    await createNetwork(state.network);
  } catch (error) {
    await removeNode(state);
    throw error;
  }
  const { hostAddress, nodeAddress } = state.network;
  return {
    hostAddress,
    nodeAddress,
    start: (options) => startNode(state, { ...options, plugins, programs }),
    remove: () => removeNode(state),
  };
}

interface StartOptions extends RealNodeOptions {
  readonly plugins: string;
  readonly programs: NodePrograms;
}

async function startNode(state: NodeState, options: StartOptions): Promise<RealNode> {
  const { name, transport, server, logger, plugins, programs } = options;
  const { network, cgroup } = state;
  const folders = nodeFolders(state.folder);
  const started: Program[] = [];
  const approving = new AbortController();
  let volumes: RunningOperator | undefined;
  const stop = async (): Promise<void> => {
    approving.abort();
    await volumes?.stop();
    // Kubelet first: it would restart the containers that end with the cgroup.
    for (const program of started.toReversed()) await program.stop();
    await removeNode(state);
  };
  const start = async (program: Program): Promise<Program> => {
    started.push(program);
    await program.start();
    return program;
  };
  try {
    mkdirSync(folders.logs, { recursive: true });
    createCgroup(cgroup);
    const runtime = await start(containerd(folders, network, plugins));
    await importImage(folders, pauseArchive(programs.pause));
    const bootstrapToken = await prepareToJoin(transport);
    const dns = await prepareClusterDns(transport);
    const proxyToken = await prepareKubeProxy(transport);
    const coredns = await start(coreDns({ folders, network, server, token: dns.token, binary: programs.coredns }));
    await publishDnsServer(transport, name, network.nodeAddress);
    const proxy = await start(
      kubeProxy({ folders, network, name, server, token: proxyToken, binary: programs.kubeProxy }),
    );
    void approveServingCertificates(transport, name, approving.signal, (error) =>
      logger.warn({ err: error, node: name }, "Cannot approve the serving certificate of the kubelet"),
    );
    const agent = await start(
      kubelet({
        folders,
        network,
        cgroup,
        name,
        server,
        bootstrapToken,
        dnsAddress: dns.address,
        binary: programs.kubelet,
        isReady: () => isReady(transport, name, network),
      }),
    );
    volumes = await startLocalVolumes({ name, folder: join(state.folder, "volumes"), transport, logger });
    return {
      name,
      logFolder: folders.logs,
      importImage: (archive) => importImage(folders, archive),
      programs: { containerd: runtime, coredns, kubelet: agent, "kube-proxy": proxy },
      async stop() {
        // The API server may have ended before the node.
        await withdrawDnsServer(transport, name).catch(() => undefined);
        await stop();
      },
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

function pauseArchive(pause: string): Buffer {
  const files = [{ path: "pause", content: readFileSync(pause), mode: 0o755 }];
  return imageArchive({ name: pauseImage, files, entrypoint: ["/pause"] });
}

/** Whether the Node is ready, and is this one: a Node of an earlier node with the same name may be there, with another address. */
async function isReady(transport: Transport, name: string, { nodeAddress }: NodeNetwork): Promise<boolean> {
  const { status, body } = await transport.send({ method: "GET", path: `/api/v1/nodes/${name}` });
  if (status !== 200 || !isJsonObject(body)) return false;
  const report = isJsonObject(body["status"]) ? body["status"] : {};
  return (
    hasItem(report["addresses"], { type: "InternalIP", address: nodeAddress }) &&
    hasItem(report["conditions"], { type: "Ready", status: "True" })
  );
}

function hasItem(list: unknown, wanted: Readonly<Record<string, string>>): boolean {
  const items: readonly unknown[] = Array.isArray(list) ? list : [];
  const isWanted = (item: JsonObject): boolean => Object.entries(wanted).every(([key, value]) => item[key] === value);
  return items.some((item) => isJsonObject(item) && isWanted(item));
}
