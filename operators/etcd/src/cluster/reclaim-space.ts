import type { EtcdAlarm } from "../members/etcd-members.js";
import type { MemberView } from "./cluster-view.js";
import type { ClusterRun, Step } from "./context.js";
import { change, removeMember } from "./etcd-changes.js";
import { isVoter } from "./member-state.js";

/** etcd's default of `--quota-backend-bytes`. */
const defaultQuota = 2_147_483_648;
/** The alarm goes when every database is below this share of the quota: otherwise the next writes would raise it again. */
const lowShare = 0.9;
/** Defragmenting is worth it above this free share. */
const worthShare = 0.1;

/**
 * Handles alarms. NOSPACE: etcd rejects writes until the history is compacted, each member is defragmented, and the alarm is disarmed. CORRUPT: the member
 * is replaced.
 */
export const handleAlarms: Step = async (run) => {
  const { context, view, etcd } = run;
  const { conditions, event, object } = context;
  if (view.endpoint === undefined) return undefined;
  const alarms = await etcd.alarms(view.endpoint, context);
  const corrupt = memberOf(
    run,
    alarms.find(({ alarm }) => alarm === "CORRUPT"),
  );
  if (corrupt?.entry !== undefined && (view.list?.length ?? 0) > 1) {
    const message = `Member ${corrupt.name} is being replaced: its data is corrupt`;
    conditions.set("Recovering", { status: true, reason: "ReplacingMember", message });
    if (await removeMember(run, corrupt.entry)) event("Normal", "Replacing Dead Member", message);
    return { shows: "Recovering", again: "2s" };
  }
  const full = alarms.filter(({ alarm }) => alarm === "NOSPACE");
  if (full.length === 0) {
    conditions.remove("QuotaExceeded");
    return undefined;
  }
  if (object.spec.onQuotaExceeded === "Report") {
    const message =
      "The database reached its quota, and etcd rejects writes until space is reclaimed and the alarm is disarmed";
    conditions.set("QuotaExceeded", { status: true, reason: "WritesRejected", message });
    return undefined;
  }
  return reclaim(run, full);
};

/** One change: defragment a member, disarm the alarms, or compact the history, in this order of preference. Each is safe to repeat. */
async function reclaim(run: ClusterRun, full: readonly EtcdAlarm[]) {
  const { context, view, etcd, connect } = run;
  const { conditions, event, log } = context;
  const { endpoint } = view;
  if (endpoint === undefined) return undefined;
  const set = (reason: "Reclaiming" | "WritesRejected", message: string): void =>
    conditions.set("QuotaExceeded", { status: true, reason, message });
  // The leader last: the others serve while it is busy.
  const members = view.members
    .filter((member) => member.status !== undefined && isVoter(member))
    .toSorted((a, b) => Number(a === view.leader) - Number(b === view.leader));
  const fragmented = members.find(
    ({ status }) => status !== undefined && status.dbSize - status.dbSizeInUse > worthShare * status.dbSize,
  );
  const connection = fragmented && connect(fragmented);
  if (fragmented !== undefined && connection !== undefined) {
    set("Reclaiming", `The database reached its quota: member ${fragmented.name} is being defragmented`);
    const isDone = await change(log, async () => etcd.defragment(connection, context).then(() => true));
    return { again: isDone ? 0 : "8s" } as const;
  }
  if (members.every((member) => (member.status?.dbSize ?? 0) < lowShare * quotaOf(member))) {
    set("Reclaiming", "Space was reclaimed, and writes are allowed again");
    for (const alarm of full) await etcd.disarm(endpoint, alarm, context);
    event(
      "Normal",
      "Space Reclaimed",
      "The history was compacted, the members were defragmented, and writes are allowed again",
    );
    return { again: 0 } as const;
  }
  const revision = view.leader?.status?.revision ?? 0n;
  set(
    "WritesRejected",
    `The database reached its quota, and etcd rejects writes. The history before revision ${revision} is compacted; if that is not enough, delete keys or raise spec.quotaBackendBytes`,
  );
  await change(log, async () => etcd.compact(endpoint, revision, context).then(() => true));
  return { again: "8s" } as const;
}

function memberOf({ view }: ClusterRun, alarm: EtcdAlarm | undefined): MemberView | undefined {
  return alarm && view.members.find(({ entry }) => entry?.id === alarm.memberId);
}

/** The quota that a member was started with. */
function quotaOf({ pod }: MemberView): number {
  const flag = "--quota-backend-bytes=";
  const command = pod?.spec?.containers.find(({ name }) => name === "etcd")?.command ?? [];
  return Number(command.find((part) => part.startsWith(flag))?.slice(flag.length) ?? defaultQuota);
}
