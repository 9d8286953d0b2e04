import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Transport } from "@kubewright/core/transport";
import type { NodeFolders } from "./containerd.js";
import { kubeconfigOf, type ServerAddress, serviceAccountToken } from "./join-cluster.js";
import { inNamespace, type NodeNetwork } from "./node-network.js";
import { Program } from "./program.js";

/** The node whose Services a kube-proxy serves. */
export interface KubeProxyOptions {
  readonly folders: NodeFolders;
  readonly network: NodeNetwork;
  readonly name: string;
  readonly server: ServerAddress;
  /** Of its ServiceAccount. */
  readonly token: string;
  /** Path of the program. */
  readonly binary: string;
}

/** The token of the ServiceAccount of kube-proxy, which has the permissions that it needs. */
export function prepareKubeProxy(transport: Transport): Promise<string> {
  return serviceAccountToken(transport, "kube-proxy", {
    binding: "kubewright:node-proxier",
    role: "system:node-proxier",
  });
}

/** An unmodified kube-proxy, with iptables rules in the node's namespace. */
export function kubeProxy({ folders, network, name, server, token, binary }: KubeProxyOptions): Program {
  const place = (file: string): string => join(folders.root, file);
  writeFileSync(place("kube-proxy.conf"), kubeconfigOf(server, { token }), { mode: 0o600 });
  const configuration = {
    apiVersion: "kubeproxy.config.k8s.io/v1alpha1",
    kind: "KubeProxyConfiguration",
    mode: "iptables",
    clientConnection: { kubeconfig: place("kube-proxy.conf") },
    hostnameOverride: name,
    bindAddress: network.nodeAddress,
    clusterCIDR: network.podCidr,
    // The limits are the host's: a namespace may not change them.
    conntrack: { maxPerCore: 0, min: 0, tcpEstablishedTimeout: "0s", tcpCloseWaitTimeout: "0s" },
    healthzBindAddress: "127.0.0.1:10256",
    metricsBindAddress: "127.0.0.1:10249",
  };
  writeFileSync(place("kube-proxy.json"), JSON.stringify(configuration, undefined, 2));
  const command = [binary, `--config=${place("kube-proxy.json")}`, "--v=2"];
  // It retries until the API server serves; a Service that it does not yet know is no reason to wait.
  const ready = { limitMs: 0, passes: async () => true };
  return new Program("kube-proxy", inNamespace(network.namespace, command), folders.logs, ready);
}
