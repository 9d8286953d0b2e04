import { PersistentVolumeClaim, Pod } from "kubewright/k8s/core/v1";
import type { MemberView } from "./cluster-view.js";
import type { ClusterRun, Step } from "./context.js";
import { ensurePod } from "./member-pod.js";
import { hasEnded, hasStarted, hasVolume, isTerminating, replaceAfterMs } from "./member-state.js";
import { ensureVolume, storageOf } from "./member-volume.js";
import { restartsAnnotation } from "./names.js";
import { nameOf } from "./observe.js";

/** A member that was restarted so often without becoming healthy is replaced instead. */
const maxRestarts = 3;

/**
 * Starts members that should run and have no Pod: those that were added to etcd by a run that crashed, and those whose Pod is gone and whose data is in a
 * volume. Without a quorum too: the volumes may be all that is missing.
 */
export const startMembers: Step = async (run) => {
  const { context, view } = run;
  const { conditions, delete: remove, patch, status } = context;
  // A recovery decides itself which member runs.
  if (status.recovery !== undefined) return undefined;
  for (const member of view.members) {
    const { name, entry, pod } = member;
    const isUnstarted = entry !== undefined && !hasStarted(member);
    // Without a quorum the member list is unknown: whatever has data is started.
    const isWanted =
      view.list === undefined ? hasVolume(member) : isUnstarted || (entry !== undefined && hasVolume(member));
    if (!isWanted || (view.list !== undefined && isWornOut(member))) continue;
    if (pod !== undefined && (!hasEnded(member) || isTerminating(member))) continue;

    const message = `Member ${name} is being restarted with its data`;
    if (!isUnstarted) conditions.set("Recovering", { status: true, reason: "RestartingMember", message });
    else conditions.set("Scaling", { status: true, reason: "AddingMember", message: `Member ${name} is starting` });
    const shows = isUnstarted ? "Scaling" : "Recovering";
    if (pod !== undefined) {
      // Counted before the Pod goes: afterwards nothing would show that it has failed.
      if (hasVolume(member)) await patch(PersistentVolumeClaim, name, countOf(restartsOf(member) + 1));
      await remove(Pod, name);
    } else await startMember(run, member);
    return { shows, again: "2s" };
  }
  return undefined;
};

/** Whether restarting a member again and again has not helped. */
export function isWornOut(member: MemberView): boolean {
  return hasEnded(member) && restartsOf(member) >= maxRestarts;
}

/** Forgets the restarts of members that have been healthy for some time. */
export const forgetRestarts: Step = async ({ context, view }) => {
  for (const member of view.members) {
    if (restartsOf(member) === 0 || member.status?.leaderId === undefined) continue;
    if (context.clock.now() - startedMs(member) < replaceAfterMs) continue;
    await context.patch(PersistentVolumeClaim, member.name, countOf(undefined));
  }
  return undefined;
};

/** Creates the volume and the Pod of a member that etcd already lists. */
async function startMember({ context, view, version }: ClusterRun, member: MemberView): Promise<void> {
  const { object } = context;
  let isDurable = hasVolume(member);
  if (!isDurable && !hasStarted(member)) {
    const storage = await storageOf(object, context);
    if (storage.kind === "volume") await ensureVolume(context, member.name, storage.claim);
    isDurable = storage.kind === "volume";
  }
  const initialCluster = (view.list ?? []).map((entry) => `${nameOf(object, entry)}=${entry.peerURLs[0]}`);
  await ensurePod(context, {
    cluster: object,
    member: member.name,
    version,
    start: { kind: "existing", initialCluster },
    hasVolume: isDurable,
  });
}

function startedMs({ pod }: MemberView): number {
  const etcd = pod?.status?.containerStatuses?.find(({ name }) => name === "etcd");
  return Date.parse(etcd?.state?.running?.startedAt ?? "") || Number.POSITIVE_INFINITY;
}

function restartsOf({ volume }: MemberView): number {
  return Number(volume?.metadata.annotations?.[restartsAnnotation] ?? 0);
}

function countOf(restarts: number | undefined) {
  return { merge: { metadata: { annotations: { [restartsAnnotation]: restarts?.toString() ?? null } } } };
}
