import { isPodAvailable, isPodTerminal, type PodView } from "../pod/index.js";
import { type DaemonSetView, isUpdated, nodeOf } from "./daemon-pod.js";
import { type NodeFit, type NodeView, nodeFit } from "./node-fit.js";

/** Pods to create and delete. */
export interface Plan {
  /** Names of nodes that need a Pod. */
  readonly create: string[];
  /** Names of Pods. */
  readonly delete: string[];
}

/** A node as one DaemonSet sees it. */
export interface NodeState extends NodeFit {
  readonly name: string;
  /** The Pods that count: scheduled ones first, then by age. */
  readonly pods: readonly PodView[];
}

/** A DaemonSet with its nodes and Pods. */
export interface DaemonView {
  readonly set: DaemonSetView;
  /** The hash of the current template. */
  readonly hash: string;
  readonly nowMs: number;
  /** The nodes by name, including deleted nodes that still have Pods. */
  readonly nodeStates: readonly NodeState[];
  /** Names of the existing nodes. */
  readonly nodes: ReadonlySet<string>;
}

/** Groups Pods by the node that they run on or target. Terminal Pods that are being deleted do not count. */
export function daemonView(
  input: Pick<DaemonView, "set" | "hash" | "nowMs">,
  nodes: readonly NodeView[],
  pods: readonly PodView[],
): DaemonView {
  const byNode = new Map<string, PodView[]>();
  for (const pod of pods) {
    const node = nodeOf(pod);
    if (node === undefined || (isPodTerminal(pod) && pod.metadata.deletionTimestamp !== undefined)) continue;
    byNode.set(node, [...(byNode.get(node) ?? []), pod]);
  }
  const known = new Map(nodes.map((node) => [node.metadata.name, node]));
  const names = [...new Set([...known.keys(), ...byNode.keys()])].sort();
  const nodeStates = names.map((name) => {
    const node = known.get(name);
    const fit = node === undefined ? { shouldRun: false, shouldContinueRunning: false } : nodeFit(input.set, node);
    return { name, ...fit, pods: (byNode.get(name) ?? []).sort(byAge) };
  });
  return { ...input, nodeStates, nodes: new Set(known.keys()) };
}

/** Whether a Pod has been ready for minReadySeconds. */
export function isAvailable(pod: PodView | undefined, { set, nowMs }: DaemonView): boolean {
  return pod !== undefined && isPodAvailable(pod, set.spec.minReadySeconds ?? 0, nowMs);
}

/** The Pod of the current template on a node and the Pod of an old one; undefined if there are several of either. */
export function podPairOn(
  { pods }: NodeState,
  { set, hash }: DaemonView,
): { readonly newPod?: PodView; readonly old?: PodView } | undefined {
  const notTerminating = pods.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  const newPods = notTerminating.filter((pod) => isUpdated(pod, set, hash));
  const oldPods = notTerminating.filter((pod) => !isUpdated(pod, set, hash));
  if (newPods.length > 1 || oldPods.length > 1) return undefined;
  return { ...(newPods[0] && { newPod: newPods[0] }), ...(oldPods[0] && { old: oldPods[0] }) };
}

function byAge(a: PodView, b: PodView): number {
  const [hasNode, otherHasNode] = [a, b].map(({ spec }) => (spec?.nodeName ?? "") !== "");
  if (hasNode !== otherHasNode) return hasNode === true ? -1 : 1;
  const [left, right] = [a.metadata.creationTimestamp, b.metadata.creationTimestamp];
  if (left !== right) return left < right ? -1 : 1;
  return a.metadata.name < b.metadata.name ? -1 : 1;
}
