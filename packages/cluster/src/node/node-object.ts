import { formatTime } from "@kubewright/core/meta";
import type { NewObject } from "kubewright";
import type { Node, NodeCondition } from "kubewright/k8s/core/v1";
import type { ReadNode } from "./read-objects.js";

/** Marks simulated nodes. A user can create further nodes with this annotation. */
export const simulatedAnnotation = "simulation.kubewright.dev/node";
/** Simulates an unreachable node: it sends no heartbeats, and its Pods do not change. */
export const silentAnnotation = "simulation.kubewright.dev/silent";

/** The capacity of simulated nodes. */
export interface NodeCapacity {
  /** @default "8" */
  readonly cpu?: string;
  /** @default "32Gi" */
  readonly memory?: string;
  /** @default 110 */
  readonly pods?: number;
}

/** Whether a node is simulated and not silent. */
export function isSimulated(node: ReadNode | undefined): node is ReadNode {
  const annotations = node?.metadata.annotations ?? {};
  return annotations[simulatedAnnotation] !== undefined && annotations[silentAnnotation] === undefined;
}

/** Whether a kubelet runs the pods of a node: it reports its port. */
export function hasKubelet(node: ReadNode | undefined): boolean {
  return (node?.status?.daemonEndpoints?.kubeletEndpoint?.Port ?? 0) > 0;
}

/** The internal IP of a node, with a default. */
export function nodeAddress(node: ReadNode): string {
  return node.status?.addresses?.find(({ type }) => type === "InternalIP")?.address ?? "172.18.0.2";
}

/** A Node as its kubelet registers it. `index` starts at 0. */
export function nodeObject(name: string, index: number, capacity: NodeCapacity, nowMs: number): NewObject<typeof Node> {
  const { cpu = "8", memory = "32Gi", pods = 110 } = capacity;
  const resources = { cpu, memory, pods: String(pods), "ephemeral-storage": "100Gi" };
  const ip = `172.18.${Math.floor((index + 2) / 256)}.${(index + 2) % 256}`;
  return {
    metadata: {
      name,
      labels: {
        "kubernetes.io/hostname": name,
        "kubernetes.io/os": "linux",
        "kubernetes.io/arch": "amd64",
        "beta.kubernetes.io/os": "linux",
        "beta.kubernetes.io/arch": "amd64",
      },
      annotations: { [simulatedAnnotation]: "simulated" },
    },
    spec: { podCIDR: podCidr(index), podCIDRs: [podCidr(index)] },
    status: {
      capacity: resources,
      allocatable: resources,
      conditions: healthyConditions(nowMs),
      addresses: [
        { type: "InternalIP", address: ip },
        { type: "Hostname", address: name },
      ],
      nodeInfo: {
        architecture: "amd64",
        operatingSystem: "linux",
        bootID: "",
        machineID: "",
        systemUUID: "",
        kernelVersion: "6.12.0",
        osImage: "Simulated node",
        containerRuntimeVersion: "simulated://1.0.0",
        kubeletVersion: "v1.36.4",
        kubeProxyVersion: "",
      },
    },
  } as NewObject<typeof Node>;
}

/** The Pod CIDR of a node. */
function podCidr(index: number): string {
  return `10.${244 + Math.floor(index / 256)}.${index % 256}.0/24`;
}

/** The conditions of a ready node. */
export function healthyConditions(nowMs: number): NodeCondition[] {
  const lastHeartbeatTime = formatTime(nowMs);
  const lastTransitionTime = lastHeartbeatTime;
  const condition = (type: string, status: string, reason: string, message: string): NodeCondition => ({
    type,
    status,
    reason,
    message,
    lastHeartbeatTime,
    lastTransitionTime,
  });
  return [
    condition("MemoryPressure", "False", "KubeletHasSufficientMemory", "kubelet has sufficient memory available"),
    condition("DiskPressure", "False", "KubeletHasNoDiskPressure", "kubelet has no disk pressure"),
    condition("PIDPressure", "False", "KubeletHasSufficientPID", "kubelet has sufficient PID available"),
    condition("Ready", "True", "KubeletReady", "kubelet is posting ready status"),
  ];
}
