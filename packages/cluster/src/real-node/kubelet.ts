import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { NodeFolders } from "./containerd.js";
import { clusterDomain } from "./coredns.js";
import { kubeconfigOf, type ServerAddress } from "./join-cluster.js";
import { inNamespace, type NodeNetwork } from "./node-network.js";
import { Program } from "./program.js";

/** The node that a kubelet registers. */
export interface KubeletOptions {
  readonly folders: NodeFolders;
  readonly network: NodeNetwork;
  /** Of its pods: their processes are found by it, also after a crash. */
  readonly cgroup: string;
  readonly name: string;
  readonly server: ServerAddress;
  /** With which the kubelet asks for its client certificate. */
  readonly bootstrapToken: string;
  /** Where pods resolve names. */
  readonly dnsAddress: string;
  /** Path of the program. */
  readonly binary: string;
  /** Whether the node that it registers is ready. */
  isReady(): Promise<boolean>;
}

/** How long kubelet may take until the node is ready. */
const readyMs = 120_000;

/** An unmodified kubelet, which asks for its certificates and registers the node. */
export function kubelet(options: KubeletOptions): Program {
  const { folders, network, name, server, bootstrapToken, binary, isReady: passes } = options;
  const place = (file: string): string => join(folders.root, file);
  mkdirSync(place("manifests"), { recursive: true });
  writeFileSync(place("ca.crt"), server.clientCaCertificate ?? server.caCertificate);
  writeFileSync(place("resolv.conf"), "");
  writeFileSync(place("bootstrap-kubelet.conf"), kubeconfigOf(server, { token: bootstrapToken }), { mode: 0o600 });
  writeFileSync(place("kubelet.json"), JSON.stringify(configuration(options), undefined, 2));
  const flags = {
    config: place("kubelet.json"),
    "bootstrap-kubeconfig": place("bootstrap-kubelet.conf"),
    kubeconfig: place("kubelet.conf"),
    "cert-dir": place("pki"),
    "root-dir": place("kubelet"),
    "hostname-override": name,
    "node-ip": network.nodeAddress,
    v: "2",
  };
  const args = Object.entries(flags).map(([flag, value]) => `--${flag}=${value}`);
  const command = inNamespace(network.namespace, [binary, ...args]);
  return new Program("kubelet", command, folders.logs, { limitMs: readyMs, passes });
}

function configuration({ folders: { root, socket }, network, cgroup, dnsAddress }: KubeletOptions): object {
  return {
    apiVersion: "kubelet.config.k8s.io/v1beta1",
    kind: "KubeletConfiguration",
    address: network.nodeAddress,
    authentication: {
      anonymous: { enabled: false },
      webhook: { enabled: true },
      x509: { clientCAFile: join(root, "ca.crt") },
    },
    authorization: { mode: "Webhook" },
    serverTLSBootstrap: true,
    rotateCertificates: true,
    containerRuntimeEndpoint: `unix://${socket}`,
    clusterDomain,
    clusterDNS: [dnsAddress],
    resolvConf: join(root, "resolv.conf"),
    podLogsDir: join(root, "pod-logs"),
    volumePluginDir: join(root, "volume-plugins"),
    staticPodPath: join(root, "manifests"),
    cgroupRoot: `/${cgroup}`,
    cgroupDriver: "cgroupfs",
    failCgroupV1: false,
    failSwapOn: false,
    localStorageCapacityIsolation: false,
    healthzBindAddress: "127.0.0.1",
  };
}
