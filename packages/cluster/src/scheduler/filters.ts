import { isSelected, untolerated } from "./node-selection.js";
import type { NodeState } from "./node-state.js";
import { type NamespaceLabels, PodAffinityQuestion } from "./pod-affinity.js";
import { podResources, type Resources } from "./pod-resources.js";
import type { ReadPod } from "./scheduler-objects.js";
import { SpreadQuestion } from "./topology-spread.js";

/** Why a pod cannot be on a node. */
export interface Refusal {
  /** In a scheduler's words; several where several resources are short. */
  readonly reasons: readonly string[];
  /** Whether fewer pods on the node could change that. */
  readonly resolvable: boolean;
}

/** What is asked of each node for one pod. */
export type Filter = (node: NodeState) => Refusal | undefined;

const cordoned = { key: "node.kubernetes.io/unschedulable", effect: "NoSchedule" } as const;

/** The filters for a pod, in the order of a scheduler; the first that refuses decides. What they need to know of all nodes is found once. */
export function filtersFor(
  pod: ReadPod,
  nodes: readonly NodeState[],
  labelsOf: NamespaceLabels,
  volumes: Filter,
): Filter {
  const affinity = new PodAffinityQuestion(pod, nodes, labelsOf);
  const spread = new SpreadQuestion(pod, nodes);
  const asRefusal = (
    why: { readonly reason: string; readonly resolvable: boolean } | undefined,
  ): Refusal | undefined => (why === undefined ? undefined : { reasons: [why.reason], resolvable: why.resolvable });
  const wanted = podResources(pod);
  const ports = hostPorts(pod);
  const isSelective = pod.spec?.nodeSelector !== undefined || pod.spec?.affinity?.nodeAffinity !== undefined;
  return (node) =>
    unschedulable(pod, node) ??
    tainted(pod, node) ??
    (isSelective ? unselected(pod, node) : undefined) ??
    portsTaken(ports, node) ??
    tooLittle(wanted, node) ??
    volumes(node) ??
    asRefusal(spread.check(node)) ??
    asRefusal(affinity.check(node));
}

function unschedulable(pod: ReadPod, { node }: NodeState): Refusal | undefined {
  if (node.spec?.unschedulable !== true || untolerated(pod, [cordoned]) === undefined) return undefined;
  return { reasons: ["node(s) were unschedulable"], resolvable: false };
}

function tainted(pod: ReadPod, { node }: NodeState): Refusal | undefined {
  const taints = node.spec?.taints;
  if (taints === undefined || untolerated(pod, taints) === undefined) return undefined;
  return { reasons: ["node(s) had untolerated taint(s)"], resolvable: false };
}

function unselected(pod: ReadPod, node: NodeState): Refusal | undefined {
  if (isSelected(pod, node)) return undefined;
  return { reasons: ["node(s) didn't match Pod's node affinity/selector"], resolvable: false };
}

function portsTaken(wanted: readonly HostPort[], { pods }: NodeState): Refusal | undefined {
  if (wanted.length === 0) return undefined;
  for (const other of pods.values())
    for (const taken of hostPorts(other))
      if (
        wanted.some(
          (one) => one.port === taken.port && one.protocol === taken.protocol && sameAddress(one.ip, taken.ip),
        )
      )
        return { reasons: ["node(s) didn't have free ports for the requested pod ports"], resolvable: true };
  return undefined;
}

interface HostPort {
  readonly port: number;
  readonly protocol: string;
  readonly ip: string;
}

function hostPorts({ spec }: ReadPod): HostPort[] {
  const taken: HostPort[] = [];
  const staying = (spec?.initContainers ?? []).filter((init) => init.restartPolicy === "Always");
  for (const { ports } of [...(spec?.containers ?? []), ...staying])
    for (const { hostPort = 0, protocol = "TCP", hostIP = "" } of ports ?? [])
      if (hostPort > 0) taken.push({ port: hostPort, protocol, ip: hostIP === "" ? "0.0.0.0" : hostIP });
  return taken;
}

function sameAddress(a: string, b: string): boolean {
  return a === b || a === "0.0.0.0" || b === "0.0.0.0";
}

function tooLittle(wanted: Resources, { allocatable, requested, pods }: NodeState): Refusal | undefined {
  const isFull = pods.size + 1 > (allocatable.get("pods") ?? 0);
  if (!isFull && wanted.size === 0) return undefined;
  const reasons: string[] = isFull ? ["Too many pods"] : [];
  let resolvable = true;
  for (const [name, amount] of wanted) {
    const capacity = allocatable.get(name) ?? 0;
    if (amount === 0 || amount <= capacity - (requested.get(name) ?? 0)) continue;
    reasons.push(`Insufficient ${name}`);
    // More than the node has at all.
    if (amount > capacity) resolvable = false;
  }
  return reasons.length === 0 ? undefined : { reasons, resolvable };
}
