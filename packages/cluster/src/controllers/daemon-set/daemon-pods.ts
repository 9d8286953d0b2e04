import { hasPodEnded, isPodAvailable, type PodView } from "../pod/index.js";
import { type DaemonSetView, isUpdated, nodeOf } from "./daemon-pod.js";
import { type NodeFit, type NodeView, nodeFit } from "./node-fit.js";

/** What is to be done. */
export interface Plan {
  /** Names of nodes that get a pod. */
  readonly create: string[];
  /** Names of pods. */
  readonly delete: string[];
}

/** A node as a DaemonSet sees it. */
export interface Place extends NodeFit {
  readonly name: string;
  /** The ones that count: with a node first, then the older ones. */
  readonly pods: readonly PodView[];
}

/** What a DaemonSet is looked at with. */
export interface DaemonView {
  readonly set: DaemonSetView;
  /** The hash of its template. */
  readonly hash: string;
  readonly nowMs: number;
  /** The nodes, by their names, and places that pods were made for and that are no nodes any more. */
  readonly places: readonly Place[];
  /** Names of the nodes that there are. */
  readonly nodes: ReadonlySet<string>;
}

/** Sorts pods by the nodes that they are on or for. Ended ones that are being deleted do not count any more. */
export function daemonView(
  input: Pick<DaemonView, "set" | "hash" | "nowMs">,
  nodes: readonly NodeView[],
  pods: readonly PodView[],
): DaemonView {
  const byNode = new Map<string, PodView[]>();
  for (const pod of pods) {
    const node = nodeOf(pod);
    if (node === undefined || (hasPodEnded(pod) && pod.metadata.deletionTimestamp !== undefined)) continue;
    byNode.set(node, [...(byNode.get(node) ?? []), pod]);
  }
  const known = new Map(nodes.map((node) => [node.metadata.name, node]));
  const names = [...new Set([...known.keys(), ...byNode.keys()])].sort();
  const places = names.map((name) => {
    const node = known.get(name);
    const fit = node === undefined ? { shouldRun: false, mayStay: false } : nodeFit(input.set, node);
    return { name, ...fit, pods: (byNode.get(name) ?? []).sort(byAge) };
  });
  return { ...input, places, nodes: new Set(known.keys()) };
}

/** Whether a pod has been ready for as long as the set wants. */
export function isAvailable(pod: PodView | undefined, { set, nowMs }: DaemonView): boolean {
  return pod !== undefined && isPodAvailable(pod, set.spec.minReadySeconds ?? 0, nowMs);
}

/** The pod of the current template at a place and that of another one; undefined where there are several of a sort. */
export function pairAt(
  { pods }: Place,
  { set, hash }: DaemonView,
): { readonly fresh?: PodView; readonly old?: PodView } | undefined {
  const staying = pods.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  const fresh = staying.filter((pod) => isUpdated(pod, set, hash));
  const old = staying.filter((pod) => !isUpdated(pod, set, hash));
  if (fresh.length > 1 || old.length > 1) return undefined;
  return { ...(fresh[0] && { fresh: fresh[0] }), ...(old[0] && { old: old[0] }) };
}

function byAge(a: PodView, b: PodView): number {
  const [hasNode, otherHasNode] = [a, b].map(({ spec }) => (spec?.nodeName ?? "") !== "");
  if (hasNode !== otherHasNode) return hasNode === true ? -1 : 1;
  const [left, right] = [a.metadata.creationTimestamp, b.metadata.creationTimestamp];
  if (left !== right) return left < right ? -1 : 1;
  return a.metadata.name < b.metadata.name ? -1 : 1;
}
