import { isSelected, untolerated } from "./node-selection.js";
import type { NodeState } from "./node-state.js";
import { InterPodAffinity, type NamespaceLabels } from "./pod-affinity.js";
import { podResources, type Resources } from "./pod-resources.js";
import type { ReadPod } from "./scheduler-objects.js";
import { TopologySpread } from "./topology-spread.js";

/** Why a filter rejects a node for a Pod. */
export interface Rejection {
  /** kube-scheduler's messages; several if several resources are insufficient. */
  readonly reasons: readonly string[];
  /** Whether preemption could make the node feasible. */
  readonly resolvable: boolean;
}

/** Checks whether a Pod fits on a node; undefined if it does. */
export type Filter = (node: NodeState) => Rejection | undefined;

const unschedulableTaint = { key: "node.kubernetes.io/unschedulable", effect: "NoSchedule" } as const;

/** The filters of a Pod in kube-scheduler's order; the first rejection decides. State of all nodes is computed once. */
export function filtersFor(
  pod: ReadPod,
  nodes: readonly NodeState[],
  labelsOf: NamespaceLabels,
  volumes: Filter,
): Filter {
  const affinity = new InterPodAffinity(pod, nodes, labelsOf);
  const spread = new TopologySpread(pod, nodes);
  const asRejection = (
    why: { readonly reason: string; readonly resolvable: boolean } | undefined,
  ): Rejection | undefined => (why === undefined ? undefined : { reasons: [why.reason], resolvable: why.resolvable });
  const requests = podResources(pod);
  const ports = hostPorts(pod);
  const isSelective = pod.spec?.nodeSelector !== undefined || pod.spec?.affinity?.nodeAffinity !== undefined;
  return (node) =>
    nodeUnschedulable(pod, node) ??
    untoleratedTaint(pod, node) ??
    (isSelective ? nodeAffinityMismatch(pod, node) : undefined) ??
    portConflict(ports, node) ??
    insufficientResources(requests, node) ??
    volumes(node) ??
    asRejection(spread.check(node)) ??
    asRejection(affinity.check(node));
}

function nodeUnschedulable(pod: ReadPod, { node }: NodeState): Rejection | undefined {
  if (node.spec?.unschedulable !== true || untolerated(pod, [unschedulableTaint]) === undefined) return undefined;
  return { reasons: ["node(s) were unschedulable"], resolvable: false };
}

function untoleratedTaint(pod: ReadPod, { node }: NodeState): Rejection | undefined {
  const taints = node.spec?.taints;
  if (taints === undefined || untolerated(pod, taints) === undefined) return undefined;
  return { reasons: ["node(s) had untolerated taint(s)"], resolvable: false };
}

function nodeAffinityMismatch(pod: ReadPod, node: NodeState): Rejection | undefined {
  if (isSelected(pod, node)) return undefined;
  return { reasons: ["node(s) didn't match Pod's node affinity/selector"], resolvable: false };
}

function portConflict(ports: readonly HostPort[], { pods }: NodeState): Rejection | undefined {
  if (ports.length === 0) return undefined;
  for (const other of pods.values())
    for (const used of hostPorts(other))
      if (ports.some((one) => one.port === used.port && one.protocol === used.protocol && sameAddress(one.ip, used.ip)))
        return { reasons: ["node(s) didn't have free ports for the requested pod ports"], resolvable: true };
  return undefined;
}

interface HostPort {
  readonly port: number;
  readonly protocol: string;
  readonly ip: string;
}

function hostPorts({ spec }: ReadPod): HostPort[] {
  const result: HostPort[] = [];
  const sidecars = (spec?.initContainers ?? []).filter((init) => init.restartPolicy === "Always");
  for (const { ports } of [...(spec?.containers ?? []), ...sidecars])
    for (const { hostPort = 0, protocol = "TCP", hostIP = "" } of ports ?? [])
      if (hostPort > 0) result.push({ port: hostPort, protocol, ip: hostIP === "" ? "0.0.0.0" : hostIP });
  return result;
}

function sameAddress(a: string, b: string): boolean {
  return a === b || a === "0.0.0.0" || b === "0.0.0.0";
}

function insufficientResources(
  requests: Resources,
  { allocatable, requested, pods }: NodeState,
): Rejection | undefined {
  const isFull = pods.size + 1 > (allocatable.get("pods") ?? 0);
  if (!isFull && requests.size === 0) return undefined;
  const reasons: string[] = isFull ? ["Too many pods"] : [];
  let resolvable = true;
  for (const [name, request] of requests) {
    const capacity = allocatable.get(name) ?? 0;
    if (request === 0 || request <= capacity - (requested.get(name) ?? 0)) continue;
    reasons.push(`Insufficient ${name}`);
    // Exceeds the node's allocatable: preemption cannot help.
    if (request > capacity) resolvable = false;
  }
  return reasons.length === 0 ? undefined : { reasons, resolvable };
}
