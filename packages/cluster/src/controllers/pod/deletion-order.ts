import { isPodActive, isPodReady, type PodView, readySince } from "./pod-state.js";

const costAnnotation = "controller.kubernetes.io/pod-deletion-cost";
const phaseRank: Readonly<Record<string, number>> = { Pending: 0, Unknown: 1, Running: 2 };

/** The fields of a Pod that decide the deletion order. */
interface Candidate {
  readonly pod: PodView;
  readonly node: string;
  readonly phase: number;
  readonly ready: boolean;
  readonly cost: number;
  /** How many related Pods run on its node. */
  readonly podsOnNode: number;
  readonly readySince: number | undefined;
  readonly restarts: number;
  readonly sidecarRestarts: number;
  readonly created: number;
}

/**
 * The `count` Pods to delete first, in the order of kube-controller-manager: unscheduled, pending, not ready, low deletion cost, most `related`
 * Pods on the same node, ready for a shorter time, more restarts, newer.
 *
 * Ages are compared by their base-2 logarithm; Pods of equal rank are ordered by uid, which is pseudo-random.
 */
export function podsToDelete(
  pods: readonly PodView[],
  related: readonly PodView[],
  count: number,
  nowMs: number,
): readonly PodView[] {
  if (count >= pods.length) return pods;
  const perNode = new Map<string, number>();
  for (const pod of related) {
    const node = pod.spec?.nodeName ?? "";
    if (isPodActive(pod)) perNode.set(node, (perNode.get(node) ?? 0) + 1);
  }
  const candidates = pods.map((pod) => candidateOf(pod, perNode));
  candidates.sort((a, b) => compare(a, b, nowMs));
  return candidates.slice(0, count).map(({ pod }) => pod);
}

function candidateOf(pod: PodView, perNode: ReadonlyMap<string, number>): Candidate {
  const node = pod.spec?.nodeName ?? "";
  const sidecars = new Set(
    pod.spec?.initContainers?.flatMap(({ name, restartPolicy }) => (restartPolicy === "Always" ? [name] : [])),
  );
  const most = (counts: readonly number[] | undefined) => Math.max(0, ...(counts ?? []));
  return {
    pod,
    node,
    phase: phaseRank[pod.status?.phase ?? "Pending"] ?? 0,
    ready: isPodReady(pod),
    cost: costOf(pod),
    podsOnNode: perNode.get(node) ?? 0,
    readySince: readySince(pod),
    restarts: most(pod.status?.containerStatuses?.map(({ restartCount }) => restartCount)),
    sidecarRestarts: most(
      pod.status?.initContainerStatuses
        ?.filter(({ name }) => sidecars.has(name))
        .map(({ restartCount }) => restartCount),
    ),
    created: Date.parse(pod.metadata.creationTimestamp),
  };
}

/** The pod-deletion-cost annotation: an int32 without plus sign or leading zeros; 0 if missing or invalid. */
function costOf(pod: PodView): number {
  const text = pod.metadata.annotations?.[costAnnotation];
  if (text === undefined || !/^(0|[1-9]\d{0,9}|-\d{1,10})$/.test(text)) return 0;
  const cost = Number(text);
  return cost < -(2 ** 31) || cost > 2 ** 31 - 1 ? 0 : cost;
}

function compare(a: Candidate, b: Candidate, nowMs: number): number {
  if ((a.node === "") !== (b.node === "")) return a.node === "" ? -1 : 1;
  if (a.phase !== b.phase) return a.phase - b.phase;
  if (a.ready !== b.ready) return a.ready ? 1 : -1;
  if (a.cost !== b.cost) return a.cost - b.cost;
  if (a.podsOnNode !== b.podsOnNode) return b.podsOnNode - a.podsOnNode;
  const byReady = a.ready ? compareTimes(a, b, "readySince", nowMs) : 0;
  if (byReady !== 0) return byReady;
  if (a.restarts !== b.restarts) return b.restarts - a.restarts;
  if (a.sidecarRestarts !== b.sidecarRestarts) return b.sidecarRestarts - a.sidecarRestarts;
  return compareTimes(a, b, "created", nowMs);
}

/** The later time comes first. An unknown time comes before all others. */
function compareTimes(a: Candidate, b: Candidate, field: "readySince" | "created", nowMs: number): number {
  const { [field]: timeA } = a;
  const { [field]: timeB } = b;
  if (timeA === timeB) return 0;
  if (timeA === undefined || timeB === undefined) return timeA === undefined ? -1 : 1;
  const difference = magnitude(nowMs - timeA) - magnitude(nowMs - timeB);
  if (difference !== 0) return difference;
  return a.pod.metadata.uid < b.pod.metadata.uid ? -1 : 1;
}

/** The age in nanoseconds as a power of two, rounded down. */
function magnitude(ageMs: number): number {
  return ageMs > 0 ? Math.trunc(Math.log2(ageMs * 1_000_000)) : -1;
}
