import type { ClusterView, MemberView } from "./cluster-view.js";
import type { ClusterRun, Step } from "./context.js";
import { handOver, removeMember } from "./etcd-changes.js";
import { isHealthy, isVoter } from "./member-state.js";
import { isOutdated, wantedSize } from "./placement.js";

/** Removes a member from etcd; its Pod and its volume follow as those of a stranger. */
export const shrink: Step = async (run) => {
  const { context, view } = run;
  if (view.list === undefined || view.list.length <= wantedSize(run)) return undefined;
  const { conditions, event } = context;
  const victim = view.members.filter(({ entry }) => entry !== undefined).toSorted(byPreference(run))[0];
  if (victim?.entry === undefined || view.endpoint === undefined) return undefined;
  const message = `The cluster shrinks from ${view.list.length} to ${wantedSize(run)} members: ${victim.name} is removed`;
  conditions.set("Scaling", { status: true, reason: "RemovingMember", message });
  if (!leavesQuorum(view, victim)) {
    const why = `${victim.name} is not removed: the members that respond would have no quorum without it`;
    conditions.set("Blocked", { status: true, reason: "UnsafeChange", message: why });
    return { shows: "Scaling", again: "8s" };
  }
  if (victim === view.leader && (await handOver(run))) return { shows: "Scaling", again: 0 };
  const isRemoved = await removeMember(run, victim.entry);
  if (isRemoved) event("Normal", "Member Removed", `Existing member ${victim.name} removed from the cluster`);
  return { shows: "Scaling", again: isRemoved ? 0 : "2s" };
};

/** Learners first, then members that do not respond, those with old placement, and the youngest; the leader last. */
function byPreference(run: ClusterRun) {
  const rank = (member: MemberView): number =>
    (member.entry?.isLearner === true ? 0 : 8) +
    (isHealthy(member) ? 4 : 0) +
    (isOutdated(run.context.object, member) ? 0 : 2) +
    (member === run.view.leader ? 1 : 0);
  const createdMs = ({ pod }: MemberView): number => Date.parse(pod?.metadata.creationTimestamp ?? "") || 0;
  return (a: MemberView, b: MemberView): number =>
    rank(a) - rank(b) || createdMs(b) - createdMs(a) || (a.name < b.name ? 1 : -1);
}

function leavesQuorum({ members }: ClusterView, victim: MemberView): boolean {
  const rest = members.filter((member) => isVoter(member) && member !== victim);
  return rest.filter(isHealthy).length >= Math.floor(rest.length / 2) + 1;
}
