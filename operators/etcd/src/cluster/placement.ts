import type { ReadEtcdCluster } from "../resources/etcd-cluster.js";
import type { MemberView } from "./cluster-view.js";
import type { ClusterRun, Step } from "./context.js";
import { placementOf } from "./member-pod.js";
import { isHealthy, isVoter } from "./member-state.js";
import { placementAnnotation } from "./names.js";

/** Whether the Pod of a member was created with other placement rules than those of the spec. */
export function isOutdated(cluster: ReadEtcdCluster, { pod }: MemberView): boolean {
  const placed = pod?.metadata.annotations?.[placementAnnotation];
  return placed !== undefined && placed !== placementOf(cluster);
}

/** The size of the spec, and one more while a member has to move: its successor joins before it leaves. */
export function wantedSize({ context: { object }, view }: ClusterRun): number {
  const { size, onPlacementChange } = object.spec;
  if (onPlacementChange === "Keep") return size;
  const members = view.members.filter(({ entry }) => entry !== undefined);
  if (!members.some((member) => isOutdated(object, member))) return size;
  if (members.length <= size) return members.every(isHealthy) ? size + 1 : size;
  // The surplus member is the successor: when it is complete, an outdated one leaves.
  return members.every((member) => isHealthy(member) && isVoter(member)) ? size : size + 1;
}

/**
 * Reports members whose placement is outdated.
 *
 * A changed affinity moves no Pod: not a running one, and not a new one whose PersistentVolume pins it to its node. Only another member with another volume
 * moves the data, which is what `onPlacementChange: ReplaceMembers` asks for.
 */
export const reportPlacement: Step = async ({ context: { object, conditions }, view }) => {
  const outdated = view.members.filter((member) => member.entry !== undefined && isOutdated(object, member));
  if (outdated.length === 0) {
    conditions.remove("PlacementOutdated");
    return undefined;
  }
  const names = outdated.map(({ name }) => name).join(", ");
  if (object.spec.onPlacementChange === "ReplaceMembers") {
    const message = `Members are replaced one after the other, to move them: ${names}`;
    conditions.set("PlacementOutdated", { status: true, reason: "ReplacingMembers", message });
  } else {
    const message = `Placement rules changed after these members were created, and their data stays on its nodes: ${names}. Set spec.onPlacementChange to ReplaceMembers to move them`;
    conditions.set("PlacementOutdated", { status: true, reason: "PinnedByVolume", message });
  }
  return undefined;
};
