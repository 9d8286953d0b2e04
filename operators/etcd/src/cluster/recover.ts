import { Pod } from "kubewright/k8s/core/v1";
import type { EtcdMember } from "../members/etcd-members.js";
import type { MemberView } from "./cluster-view.js";
import type { ClusterRun, Progress, Step } from "./context.js";
import { ensurePod } from "./member-pod.js";
import { hasData, hasVolume, isTerminating } from "./member-state.js";
import { acceptDataLossAnnotation, forcedAnnotation } from "./names.js";
import { compare, nameOf } from "./observe.js";
import { restoreNewestBackup } from "./restore-backup.js";

const waiting: Progress = { shows: "Recovering", again: "2s" };
/** Members also go because the cluster is being deleted, of which the watch of EtcdClusters may report later than that of Pods. */
const nothingLeftMs = 60_000;
/** What only a user or another controller can change. */
const idle: Progress = { shows: "Recovering", again: "8s" };

/**
 * What happens without a quorum.
 *
 * Members whose data exists are started and waited for (`startMembers`): if they are enough for a quorum, nothing is lost. Only when the data of so many
 * members is gone that no quorum can come back, the cluster goes on with the newest of the rest, as a cluster of one member that then grows. Etcd may have
 * acknowledged writes that only the others had: the condition DataLost says so.
 */
export const recoverQuorum: Step = async (run) => {
  const { context, view } = run;
  const { object, status, saveStatus, conditions, event } = context;
  if (status.recovery !== undefined) return forceNewCluster(run);
  if (view.list !== undefined || view.members.some(hasData)) status.nothingLeftSince = undefined;
  if (view.list !== undefined) return undefined;
  const { lastList } = view;
  if (lastList === undefined) return view.members.some(hasData) ? waitForMembers(run) : startAgain(run);

  const voters = lastList.filter(({ isLearner }) => !isLearner).map((entry) => nameOf(object, entry));
  const survivors = view.members.filter((member) => voters.includes(member.name) && hasData(member));
  if (survivors.length >= Math.floor(voters.length / 2) + 1) return waitForMembers(run);
  // The newest data may be that of a member that does not respond yet.
  if (survivors.some((member) => member.status === undefined)) return waitForMembers(run);
  const newest = survivors.filter(hasVolume).toSorted(byNewest)[0];
  if (newest?.status === undefined) {
    const message = `The data of ${lost(lastList, survivors, object)} is gone, and that of ${survivors.map(({ name }) => name).join(", ")} is in Pods without a volume, which cannot be restarted. Restore a backup with an EtcdRestore`;
    conditions.set("Recovering", { status: true, reason: "NoDataLeft", message });
    return idle;
  }
  const discarded = voters.filter((name) => name !== newest.name);
  // Recorded before anything is deleted: the runs that follow carry out this decision, whatever they observe.
  status.recovery = { member: newest.name, revision: newest.status.revision.toString(), discarded };
  await saveStatus();
  event("Warning", "Lost Quorum", `${describe(status.recovery)}: a quorum cannot come back`);
  return { shows: "Recovering", again: 0 };
};

function describe({ member, revision }: NonNullable<ClusterRun["context"]["status"]["recovery"]>): string {
  return `The cluster goes on with the data of member ${member} at revision ${revision}`;
}

/**
 * Carries out a recorded recovery: the Pods of the other members go, the chosen one starts with `--force-new-cluster`, and once it serves it starts again
 * without that flag. The volumes of the others are deleted last, as those of strangers.
 */
async function forceNewCluster(run: ClusterRun): Promise<Progress> {
  const { context, view, version } = run;
  const { object, status, saveStatus, conditions, event, delete: remove } = context;
  const { recovery } = status;
  if (recovery === undefined) return waiting;
  conditions.set("Recovering", { status: true, reason: "ForcingNewCluster", message: describe(recovery) });
  const chosen = view.members.find(({ name }) => name === recovery.member);
  const other = view.members.find((member) => member !== chosen && member.pod !== undefined);
  if (other !== undefined) {
    // None of them may take part again: two clusters would accept writes.
    if (!isTerminating(other)) await remove(Pod, other.name);
    return waiting;
  }
  if (chosen?.pod === undefined) {
    const start =
      recovery.isForced === true ? ({ kind: "existing", initialCluster: [] } as const) : ({ kind: "forced" } as const);
    await ensurePod(context, { cluster: object, member: recovery.member, version, start, hasVolume: true });
    return waiting;
  }
  if (isTerminating(chosen)) return waiting;
  const isForcedPod = chosen.pod.metadata.annotations?.[forcedAnnotation] === "true";
  if (recovery.isForced !== true) {
    if (!isForcedPod) await remove(Pod, recovery.member);
    else if (view.list?.length === 1) {
      recovery.isForced = true;
      await saveStatus();
    } else if (chosen.pod.status?.phase === "Failed") await remove(Pod, recovery.member);
    return { ...waiting, again: "2s" };
  }
  // With the flag, each later restart would drop all other members again.
  if (isForcedPod || chosen.pod.status?.phase === "Failed") {
    await remove(Pod, recovery.member);
    return waiting;
  }
  if (view.list === undefined) return waiting;
  const lostMembers = recovery.discarded.join(", ");
  const message = `${describe(recovery)}. Writes that only these members had are lost: ${lostMembers}`;
  conditions.set("DataLost", { status: true, reason: "ForcedNewCluster", message });
  event("Warning", "Data Lost", message);
  status.recoveries = (status.recoveries ?? 0) + 1;
  status.recovery = undefined;
  await saveStatus();
  return { ...waiting, again: 0 };
}

/**
 * Nothing is left. The newest backup is restored; without one the user decides, because a cluster that starts empty in silence is worse than one that is
 * down.
 */
async function startAgain({ context }: ClusterRun): Promise<Progress> {
  const { object, status, saveStatus, conditions, event, clock } = context;
  status.nothingLeftSince ??= new Date(clock.now()).toISOString();
  if (clock.now() - Date.parse(status.nothingLeftSince) < nothingLeftMs) {
    const message = "No member and no volume is left; if that stays so for a minute, the cluster starts again";
    conditions.set("Recovering", { status: true, reason: "NoDataLeft", message });
    return idle;
  }
  const restored = await restoreNewestBackup(context);
  if (restored !== undefined) {
    conditions.set("Recovering", { status: true, reason: "RestoringBackup", message: restored });
    return idle;
  }
  if (object.metadata.annotations?.[acceptDataLossAnnotation] !== String((status.recoveries ?? 0) + 1)) {
    const accept = `${acceptDataLossAnnotation}=${(status.recoveries ?? 0) + 1}`;
    const message = `No member and no volume is left. Restore a backup with an EtcdRestore, or start empty with the annotation ${accept}`;
    conditions.set("Recovering", { status: true, reason: "NoDataLeft", message });
    return idle;
  }
  const message = "All members and volumes were lost, and the cluster started empty, as its annotation asked for";
  conditions.set("DataLost", { status: true, reason: "StartedEmpty", message });
  event("Warning", "Data Lost", message);
  status.recoveries = (status.recoveries ?? 0) + 1;
  status.nothingLeftSince = undefined;
  status.phase = "Creating";
  await saveStatus();
  return { shows: "Recovering", again: 0 };
}

function waitForMembers({ context: { conditions }, view }: ClusterRun): Progress {
  const missing = view.members.filter((member) => hasData(member) && member.status === undefined);
  const message =
    missing.length === 0
      ? "The members elect a leader"
      : `The data of these members exists, and they do not respond yet: ${missing.map(whyMissing).join(", ")}. Delete the PersistentVolumeClaim of a member to give up its data`;
  conditions.set("Recovering", { status: true, reason: "WaitingForMembers", message });
  return missing.length === 0 ? waiting : idle;
}

function whyMissing({ name, pod }: MemberView): string {
  const unschedulable = pod?.status?.conditions?.find(
    ({ type, status }) => type === "PodScheduled" && status === "False",
  );
  return unschedulable === undefined ? name : `${name} (${unschedulable.message ?? unschedulable.reason})`;
}

function lost(
  list: readonly EtcdMember[],
  survivors: readonly MemberView[],
  object: ClusterRun["context"]["object"],
): string {
  const left = new Set(survivors.map(({ name }) => name));
  return list
    .map((entry) => nameOf(object, entry))
    .filter((name) => !left.has(name))
    .join(", ");
}

/** By the log, and then by the revision. */
function byNewest({ status: a }: MemberView, { status: b }: MemberView): number {
  return compare(b?.raftIndex ?? 0n, a?.raftIndex ?? 0n) || compare(b?.revision ?? 0n, a?.revision ?? 0n);
}
