import { isAlreadyExists } from "@kubewright/core/errors";
import { type PodView, serverMessage } from "../pod/index.js";
import { ordinalOf } from "./ordinals.js";
import { isOwnedByEarlierPod, type PodIdentity, pvcNameOf, pvcOwners } from "./pvc-owners.js";
import type { SetRun } from "./set-actions.js";
import { type NewStatefulPod, repairOf } from "./stateful-pod.js";

/** Creates a Pod and its PVCs. Returns undefined if a PVC of an earlier Pod must be deleted first. */
export async function createPod(run: SetRun, pod: NewStatefulPod): Promise<PodView | undefined> {
  for (const name of pvcNames(run, pod)) {
    const claim = await run.findPvc(name);
    if (claim !== undefined && isOwnedByEarlierPod(claim, run.set, pod)) return undefined;
  }
  return withEvents(run, "Create", pod, async () => {
    await createPvcs(run, pod);
    const created = await run.createPod(pod);
    await updateRetention(run, pod);
    return created;
  });
}

/** Creates missing PVCs of a pending Pod. */
export async function createMissingPvcs(run: SetRun, pod: PodIdentity): Promise<void> {
  await createPvcs(run, pod);
  await updateRetention(run, pod);
}

/** Restores the identity of a Pod and the owners of its PVCs. */
export async function repairPod(run: SetRun, pod: PodView): Promise<PodView> {
  const repair = repairOf(run.set, pod);
  const { changed } = await updateRetention(run, pod);
  if (repair === undefined) {
    if (changed) run.event("Normal", "SuccessfulUpdate", note(run, "Update", pod, "successful"));
    return pod;
  }
  return withEvents(run, "Update", pod, async () => {
    await createPvcs(run, pod);
    return run.patchPod(pod.metadata.name, repair);
  });
}

/** Deletes a Pod and returns it with a deletionTimestamp. */
export async function deletePod(run: SetRun, pod: PodView): Promise<PodView> {
  await withEvents(run, "Delete", pod, () => run.deletePod(pod.metadata.name));
  const deletionTimestamp = new Date(run.nowMs).toISOString();
  return { ...pod, metadata: { ...pod.metadata, deletionTimestamp } };
}

/** Sets the ownerReferences of a Pod's PVCs by the retention policy. */
export async function updateRetention(run: SetRun, pod: PodIdentity): Promise<{ readonly changed: boolean }> {
  let changed = false;
  for (const name of pvcNames(run, pod)) {
    const claim = await run.findPvc(name);
    if (claim === undefined) continue;
    const { change, isConflicting } = pvcOwners(claim, run.set, pod);
    if (change === undefined) continue;
    if (isConflicting) {
      const why =
        "has a conflicting OwnerReference that acts as a manging controller, the retention policy is ignored for this claim";
      run.event("Warning", "ConflictingController", `PersistentVolumeClaim ${name} ${why}`);
    }
    await run.patchPvc(name, { metadata: { uid: claim.metadata.uid, ownerReferences: change } });
    changed = true;
  }
  return { changed };
}

async function createPvcs(run: SetRun, pod: PodIdentity): Promise<void> {
  const { set, event } = run;
  const ordinal = ordinalOf(pod);
  const failures: unknown[] = [];
  for (const { metadata, spec } of set.spec.volumeClaimTemplates ?? []) {
    const name = pvcNameOf(set, metadata?.name ?? "", ordinal);
    const existing = await run.findPvc(name);
    if (existing?.metadata.deletionTimestamp !== undefined) failures.push(new Error(`pvc ${name} is being deleted`));
    if (existing !== undefined) continue;
    const labels = { ...metadata?.labels, ...set.spec.selector.matchLabels };
    const annotations = metadata?.annotations;
    const subject = `Claim ${name}`;
    try {
      await run.createPvc({
        metadata: { namespace: set.metadata.namespace ?? "", name, labels, ...(annotations && { annotations }) },
        ...(spec && { spec }),
      });
      event(
        "Normal",
        "SuccessfulCreate",
        `Create ${subject} Pod ${pod.metadata.name} in StatefulSet ${set.metadata.name} success`,
      );
    } catch (error) {
      failures.push(new Error(`failed to create PVC ${name}: ${serverMessage(error)}`, { cause: error }));
      const where = `for Pod ${pod.metadata.name} in StatefulSet ${set.metadata.name}`;
      if (!isAlreadyExists(error))
        event("Warning", "FailedCreate", `Create ${subject} ${where} failed error: ${serverMessage(error)}`);
    }
  }
  if (failures.length > 0) throw failures[0];
}

function pvcNames({ set }: SetRun, pod: PodIdentity): readonly string[] {
  const ordinal = ordinalOf(pod);
  return (set.spec.volumeClaimTemplates ?? []).map(({ metadata }) => pvcNameOf(set, metadata?.name ?? "", ordinal));
}

async function withEvents<T>(run: SetRun, verb: string, pod: PodIdentity, act: () => Promise<T>): Promise<T> {
  try {
    const result = await act();
    run.event("Normal", `Successful${verb}`, note(run, verb, pod, "successful"));
    return result;
  } catch (error) {
    // Another client created it first. The next sync sees it.
    if (!isAlreadyExists(error))
      run.event("Warning", `Failed${verb}`, note(run, verb, pod, `failed error: ${serverMessage(error)}`));
    throw error;
  }
}

function note({ set }: SetRun, verb: string, pod: PodIdentity, outcome: string): string {
  return `${verb} Pod ${pod.metadata.name} in StatefulSet ${set.metadata.name} ${outcome}`;
}
