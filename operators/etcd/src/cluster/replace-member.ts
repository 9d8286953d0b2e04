import type { MemberView } from "./cluster-view.js";
import type { ClusterRun, Progress, Step } from "./context.js";
import { removeMember } from "./etcd-changes.js";
import { hasData, hasStarted, isTerminating, replaceAfterMs, unreadySinceMs } from "./member-state.js";
import { isWornOut } from "./start-members.js";

/**
 * Removes one dead member from etcd. Its Pod and volume follow as those of a stranger, and growth adds a new member in its place.
 *
 * Dead is a member whose data is gone, that does not become healthy by restarts, or whose Pod has not been ready for five minutes while the others have a
 * quorum: for instance because its PersistentVolume pins it to a node that is gone, or that its affinity excludes.
 */
export const replaceDeadMember: Step = async (run) => {
  const { context, view } = run;
  if (view.list === undefined) return undefined;
  for (const member of view.members) {
    const why = whyDead(member, context.clock.now());
    if (why === undefined) continue;
    return replaceMember(run, member, why);
  }
  return undefined;
};

/** Removes a member from etcd; etcd rejects it if the others would have no quorum. */
async function replaceMember(run: ClusterRun, { name, entry }: MemberView, why: string): Promise<Progress> {
  const { conditions, event } = run.context;
  const message = `Member ${name} is being replaced: ${why}`;
  conditions.set("Recovering", { status: true, reason: "ReplacingMember", message });
  if (entry !== undefined && (await removeMember(run, entry)))
    event("Normal", "Replacing Dead Member", `The dead member ${name} is being replaced: ${why}`);
  return { shows: "Recovering", again: "2s" };
}

function whyDead(member: MemberView, nowMs: number): string | undefined {
  if (member.entry === undefined) return undefined;
  if (isWornOut(member)) return "it ended again and again after restarts";
  if (hasStarted(member) && !hasData(member) && !isTerminating(member)) return "its data is gone";
  const sinceMs = unreadySinceMs(member);
  if (sinceMs === undefined || nowMs - sinceMs < replaceAfterMs) return undefined;
  // An unhealthy Pod with a member that serves is a problem of its probe.
  if (member.status?.leaderId !== undefined) return undefined;
  return whyStuck(member);
}

function whyStuck({ pod }: MemberView): string {
  const scheduled = pod?.status?.conditions?.find(({ type }) => type === "PodScheduled");
  if (scheduled?.status === "False")
    return `its Pod cannot be scheduled: ${scheduled.message ?? scheduled.reason ?? ""}`;
  return "its Pod has not been ready for 5 minutes";
}
