import { Quantity } from "@kubewright/core/quantity";
import { labelSelectorFrom } from "@kubewright/core/selector";
import type { ReadOf } from "kubewright";
import type { PersistentVolume, PersistentVolumeClaim } from "kubewright/k8s/core/v1";

export type ReadClaim = ReadOf<typeof PersistentVolumeClaim>;
export type ReadVolume = ReadOf<typeof PersistentVolume>;

/** That the claim's binding is done; that a controller chose the other side. */
export const bindCompleted = "pv.kubernetes.io/bind-completed";
export const boundByController = "pv.kubernetes.io/bound-by-controller";
const classAnnotation = "volume.beta.kubernetes.io/storage-class";

/** The class of a claim or a volume; "" where it has none. */
export function classOf({ metadata, spec }: ReadClaim | ReadVolume): string {
  return metadata.annotations?.[classAnnotation] ?? spec?.storageClassName ?? "";
}

/** Whether a volume is set aside for a claim: by its uid, or by its name where the volume says no more. */
export function isFor({ spec }: ReadVolume, { metadata }: ReadClaim): boolean {
  const { claimRef } = spec ?? {};
  if (claimRef === undefined || claimRef.name !== metadata.name || claimRef.namespace !== metadata.namespace)
    return false;
  return claimRef.uid === undefined || claimRef.uid === "" || claimRef.uid === metadata.uid;
}

/** The volume that a claim is to have: one that is set aside for it, else the smallest that fits; undefined where there is none. */
export function bestVolume(
  claim: ReadClaim,
  volumes: readonly ReadVolume[],
  isDelayed: boolean,
): ReadVolume | undefined {
  const large = volumes.filter((volume) => isLargeEnough(volume, claim) && sameMode(volume, claim) && !isGoing(volume));
  const mine = large.find((volume) => isFor(volume, claim));
  if (mine !== undefined || isDelayed) return mine;
  const selector = claim.spec?.selector === undefined ? undefined : labelSelectorFrom(claim.spec.selector);
  return large
    .filter(
      (volume) =>
        volume.spec?.claimRef === undefined &&
        volume.status?.phase === "Available" &&
        classOf(volume) === classOf(claim) &&
        (selector?.matches(volume.metadata.labels ?? {}) ?? true) &&
        hasModes(volume, claim),
    )
    .sort((a, b) => capacityOf(a).compare(capacityOf(b)) || (a.metadata.name < b.metadata.name ? -1 : 1))[0];
}

/** Why a volume that a claim asks for by name cannot be its own; undefined when it can. */
export function mismatch(volume: ReadVolume, claim: ReadClaim): string | undefined {
  if (!isLargeEnough(volume, claim)) return "requested PV is too small";
  if (classOf(volume) !== classOf(claim)) return "storageClassName does not match";
  if (!sameMode(volume, claim)) return "incompatible volumeMode";
  return hasModes(volume, claim) ? undefined : "incompatible accessMode";
}

function isGoing({ metadata }: ReadVolume): boolean {
  return metadata.deletionTimestamp !== undefined;
}

function isLargeEnough(volume: ReadVolume, { spec }: ReadClaim): boolean {
  return capacityOf(volume).compare(Quantity.parse(String(spec?.resources?.requests?.["storage"] ?? "0"))) >= 0;
}

function capacityOf({ spec }: ReadVolume): Quantity {
  return Quantity.parse(String(spec?.capacity?.["storage"] ?? "0"));
}

/** Whether both are file systems, or both raw devices. */
export function sameMode({ spec: volume }: ReadVolume, { spec: claim }: ReadClaim): boolean {
  return (volume?.volumeMode ?? "Filesystem") === (claim?.volumeMode ?? "Filesystem");
}

function hasModes({ spec: volume }: ReadVolume, { spec: claim }: ReadClaim): boolean {
  return (claim?.accessModes ?? []).every((mode) => volume?.accessModes?.includes(mode) === true);
}
