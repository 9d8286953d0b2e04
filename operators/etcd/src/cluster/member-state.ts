import type { MemberView } from "./cluster-view.js";

/** How long a member may be without a ready Pod before it is replaced. */
export const replaceAfterMs = 300_000;

/** Whether its containers have ended, or the node has given up on it. */
export function hasEnded({ pod }: MemberView): boolean {
  return pod?.status?.phase === "Failed" || pod?.status?.phase === "Succeeded";
}

export function isTerminating({ pod }: MemberView): boolean {
  return pod?.metadata.deletionTimestamp !== undefined;
}

/** Whether it has joined: it has reported its name to the others. */
export function hasStarted({ entry }: MemberView): boolean {
  return entry !== undefined && entry.name !== "";
}

export function isVoter({ entry }: MemberView): boolean {
  return entry !== undefined && !entry.isLearner;
}

/** Whether a PersistentVolumeClaim has its data, with or without a Pod. */
export function hasVolume({ volume }: MemberView): boolean {
  return volume !== undefined && volume.metadata.deletionTimestamp === undefined;
}

/** Whether its data exists somewhere: in a volume, or in a Pod that has not ended. A Pod that waits for a volume that is gone has none. */
export function hasData(member: MemberView): boolean {
  const { pod } = member;
  if (hasVolume(member)) return true;
  if (pod === undefined || hasEnded(member) || isTerminating(member)) return false;
  const needsVolume = pod.spec?.volumes?.some(
    ({ name, persistentVolumeClaim }) => name === "etcd-data" && persistentVolumeClaim !== undefined,
  );
  return needsVolume !== true || pod.status?.phase === "Running";
}

/** Whether it responds and its Pod is ready. */
export function isHealthy({ pod, status }: MemberView): boolean {
  return status !== undefined && status.leaderId !== undefined && isReady(pod);
}

function isReady(pod: MemberView["pod"]): boolean {
  return pod?.status?.conditions?.some(({ type, status }) => type === "Ready" && status === "True") === true;
}

/** Since when its Pod has not been ready; undefined while it is, and without a Pod. */
export function unreadySinceMs({ pod }: MemberView): number | undefined {
  if (pod === undefined || isReady(pod)) return undefined;
  const { deletionTimestamp, creationTimestamp } = pod.metadata;
  const ready = pod.status?.conditions?.find(({ type }) => type === "Ready");
  return Date.parse(deletionTimestamp ?? ready?.lastTransitionTime ?? creationTimestamp);
}
