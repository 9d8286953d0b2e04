import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { NodeFolders } from "./containerd.js";
import { kubeconfigOf, type ServerAddress } from "./join-cluster.js";
import { inNamespace, type NodeNetwork } from "./node-network.js";
import { Program } from "./program.js";

const readyPort = 8181;
/** How long CoreDNS may take until it serves. */
const startMs = 60_000;

/** The domain of the names that {@link coreDns} serves. */
export const clusterDomain = "cluster.local";

/** The node that serves names. */
export interface CoreDnsOptions {
  readonly folders: NodeFolders;
  readonly network: NodeNetwork;
  readonly server: ServerAddress;
  /** Of its ServiceAccount. */
  readonly token: string;
  /** Path of the program. */
  readonly binary: string;
}

/** CoreDNS at port 53 of the node's address, for the names of Services and their pods. Ready when it has read the Services of the cluster. */
export function coreDns({ folders, network, server, token, binary }: CoreDnsOptions): Program {
  const place = (file: string): string => join(folders.root, file);
  writeFileSync(place("coredns.conf"), kubeconfigOf(server, { token }), { mode: 0o600 });
  writeFileSync(place("Corefile"), corefile(network.nodeAddress, place("coredns.conf")));
  const command = [binary, "-conf", place("Corefile")];
  const ready = { limitMs: startMs, passes: () => isServing(network) };
  return new Program("coredns", inNamespace(network.namespace, command), folders.logs, ready);
}

async function isServing({ nodeAddress }: NodeNetwork): Promise<boolean> {
  const response = await fetch(`http://${nodeAddress}:${readyPort}/ready`, { signal: AbortSignal.timeout(5_000) });
  return response.ok;
}

/** Names outside the cluster do not exist: a pod reaches nothing but the cluster and this machine. */
function corefile(address: string, kubeconfig: string): string {
  return `${clusterDomain}:53 in-addr.arpa:53 ip6.arpa:53 {
  bind ${address}
  errors
  ready ${address}:${readyPort}
  kubernetes ${clusterDomain} in-addr.arpa ip6.arpa {
    kubeconfig ${kubeconfig}
    pods insecure
    ttl 5
  }
  loadbalance
}
.:53 {
  bind ${address}
  errors
  template ANY ANY {
    rcode NXDOMAIN
  }
}
`;
}
