import { resolveIntOrPercent } from "@kubewright/core/meta";
import { isPodAvailable, isPodReady, isPodTerminal, nextAvailableInMs, type PodView, slowStart } from "../pod/index.js";
import { type RevisionView, surplusRevisions, templateOf } from "../revision/index.js";
import { desiredReplicas, firstOrdinal, isInOrdinalRange, ordinalOf } from "./ordinals.js";
import { createMissingPvcs, createPod, deletePod, repairPod, updateRetention } from "./pod-control.js";
import type { SetRun } from "./set-actions.js";
import { findRevisions, type SetRevisions } from "./set-revisions.js";
import { updateStatus } from "./set-status.js";
import { newStatefulPod, revisionLabel } from "./stateful-pod.js";

/**
 * Syncs a StatefulSet: runs one step and sets its status. Returns the milliseconds until the next Pod becomes available, or undefined if
 * there is none.
 */
export async function syncStatefulSet(
  run: SetRun,
  pods: readonly PodView[],
  known: readonly RevisionView[],
): Promise<number | undefined> {
  const revisions = await findRevisions(run, known);
  const members = new Members(run, pods);
  try {
    const isTerminating = run.set.metadata.deletionTimestamp !== undefined;
    if (!isTerminating && (await manageReplicas(run, revisions, members))) await rollingUpdate(run, revisions, members);
  } finally {
    updateStatus(run, revisions, members.all);
    const { currentRevision = "", updateRevision = "" } = run.status;
    const used = new Set([currentRevision, updateRevision]);
    for (const { metadata } of pods) used.add(metadata.labels?.[revisionLabel] ?? "");
    const limit = run.set.spec.revisionHistoryLimit ?? 10;
    for (const { metadata } of surplusRevisions(known, (one) => used.has(one.metadata.name), limit))
      await run.deleteRevision(metadata.name);
  }
  const { minReadySeconds = 0 } = run.set.spec;
  return minReadySeconds > 0 ? nextAvailableInMs(members.all, minReadySeconds, run.nowMs) : undefined;
}

/** The Pods of a StatefulSet: replicas by ordinal, and condemned ones (to be scaled down) from the highest ordinal. */
class Members {
  readonly replicas: (PodView | undefined)[];
  readonly condemned: PodView[];
  readonly #run: SetRun;

  constructor(run: SetRun, pods: readonly PodView[]) {
    this.#run = run;
    const { set } = run;
    this.replicas = Array.from({ length: desiredReplicas(set) }, () => undefined);
    for (const pod of pods)
      if (isInOrdinalRange(set, ordinalOf(pod))) this.replicas[ordinalOf(pod) - firstOrdinal(set)] = pod;
    this.condemned = pods
      .filter((pod) => ordinalOf(pod) >= 0 && !isInOrdinalRange(set, ordinalOf(pod)))
      .sort((a, b) => ordinalOf(b) - ordinalOf(a));
  }

  get all(): readonly PodView[] {
    return [...this.replicas.filter((pod) => pod !== undefined), ...this.condemned];
  }

  isAvailable(pod: PodView | undefined): boolean {
    if (pod === undefined || pod.metadata.deletionTimestamp !== undefined) return false;
    return isPodAvailable(pod, this.#run.set.spec.minReadySeconds ?? 0, this.#run.nowMs);
  }

  /** The first unhealthy Pod. A scale-down may delete it although it is not available. */
  get firstUnhealthyPod(): PodView | undefined {
    const isMissing = this.replicas.some((pod) => pod === undefined);
    const unhealthy = this.replicas.find((pod) => !this.isAvailable(pod));
    if (isMissing || unhealthy !== undefined) return unhealthy;
    return [...this.condemned].reverse().find((pod) => !this.isAvailable(pod));
  }
}

/** Calls `act` for each index: in order until one returns false, or for all at once. */
async function forEach(inOrder: boolean, count: number, act: (index: number) => Promise<boolean>): Promise<boolean> {
  if (!inOrder) {
    const { error } = await slowStart(count, act);
    if (error !== undefined) throw error;
    return true;
  }
  for (let index = 0; index < count; index++) if (!(await act(index))) return false;
  return true;
}

/** Creates missing replicas and deletes condemned Pods. Returns whether a rolling update may proceed. */
async function manageReplicas(run: SetRun, revisions: SetRevisions, members: Members): Promise<boolean> {
  const inOrder = isOrdered(run);
  const { firstUnhealthyPod, replicas, condemned } = members;
  const mayContinue =
    (await forEach(inOrder, replicas.length, (index) => processReplica(run, revisions, members, index))) &&
    (await forEach(inOrder, condemned.length, async (index) => {
      const pod = condemned[index];
      if (pod !== undefined) await updateRetention(run, pod);
      return true;
    }));
  return (
    mayContinue &&
    (await forEach(inOrder, condemned.length, async (index) => {
      const pod = condemned[index];
      if (pod === undefined) return true;
      if (pod.metadata.deletionTimestamp !== undefined) return !inOrder;
      const isHealthy = isRunning(pod) && members.isAvailable(pod);
      if (!isHealthy && inOrder && pod !== firstUnhealthyPod) return false;
      condemned[index] = await deletePod(run, pod);
      return !inOrder;
    }))
  );
}

/** Whether the podManagementPolicy is OrderedReady. */
function isOrdered({ set }: SetRun): boolean {
  return set.spec.podManagementPolicy !== "Parallel";
}

/** Creates, replaces or repairs one Pod. Returns whether the next Pod may follow. */
async function processReplica(run: SetRun, revisions: SetRevisions, members: Members, index: number): Promise<boolean> {
  const inOrder = isOrdered(run);
  const known = members.replicas[index];
  if (known !== undefined && isPodTerminal(known)) {
    if (known.metadata.deletionTimestamp === undefined) members.replicas[index] = await deletePod(run, known);
    return !inOrder;
  }
  const pod = known ?? (await createPod(run, podOf(run, revisions, firstOrdinal(run.set) + index)));
  members.replicas[index] = pod;
  if (pod === undefined || (known === undefined && inOrder)) return !inOrder;
  if (known !== undefined && pod.status?.phase === "Pending") await createMissingPvcs(run, pod);
  if (inOrder && !(isRunning(pod) && members.isAvailable(pod))) return false;
  members.replicas[index] = await repairPod(run, pod);
  return true;
}

function isRunning(pod: PodView): boolean {
  return pod.status?.phase === "Running" && isPodReady(pod);
}

/** The Pod to create for an ordinal: of the update revision, or of the current one below the partition. */
function podOf({ set, status }: SetRun, { current, update }: SetRevisions, ordinal: number) {
  const { type = "RollingUpdate", rollingUpdate } = set.spec.updateStrategy ?? {};
  const index = ordinal - firstOrdinal(set);
  const isCurrent =
    rollingUpdate === undefined
      ? type === "RollingUpdate" && index < (status.currentReplicas ?? 0)
      : index < (rollingUpdate.partition ?? 0);
  const revision = isCurrent ? current : update;
  const template = isCurrent ? templateOf(current) : set.spec.template;
  return newStatefulPod(set, { ordinal, template, revision: revision.metadata.name });
}

/** Deletes Pods of other revisions from the highest ordinal, within maxUnavailable. */
async function rollingUpdate(run: SetRun, { update: target }: SetRevisions, members: Members): Promise<void> {
  const { type = "RollingUpdate", rollingUpdate: options } = run.set.spec.updateStrategy ?? {};
  if (type === "OnDelete") return;
  const { partition = 0, maxUnavailable } = options ?? {};
  const { replicas } = members;
  const isOld = (pod: PodView) =>
    pod.metadata.labels?.[revisionLabel] !== target.metadata.name && pod.metadata.deletionTimestamp === undefined;
  if (maxUnavailable === undefined) {
    for (let index = replicas.length - 1; index >= partition; index--) {
      const pod = replicas[index];
      if (pod !== undefined && isOld(pod)) {
        replicas[index] = await deletePod(run, pod);
        return;
      }
      if (!members.isAvailable(pod)) return;
    }
    return;
  }
  const unavailable = replicas.filter((pod) => !members.isAvailable(pod)).length;
  let allowed = Math.max(1, resolveIntOrPercent(maxUnavailable, replicas.length, "down")) - unavailable;
  for (let index = replicas.length - 1; index >= partition && allowed > 0; index--) {
    const pod = replicas[index];
    if (pod === undefined || !isOld(pod)) continue;
    replicas[index] = await deletePod(run, pod);
    allowed -= 1;
  }
}
