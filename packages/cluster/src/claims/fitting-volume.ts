import { Quantity } from "@kubewright/core/quantity";
import { labelSelectorFrom } from "@kubewright/core/selector";
import type { ReadOf } from "kubewright";
import type { PersistentVolume, PersistentVolumeClaim } from "kubewright/k8s/core/v1";

export type ReadClaim = ReadOf<typeof PersistentVolumeClaim>;
export type ReadVolume = ReadOf<typeof PersistentVolume>;

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

/** Which volumes come into question for a claim. */
export interface VolumeSearch {
  /** Only one that is set aside for it. @default false */
  readonly onlySetAside?: boolean;
  /** Whether a volume can be had where the pod is to run. @default everywhere */
  readonly isReachable?: (volume: ReadVolume) => boolean;
  /** Names of volumes that others of the pod's claims get. @default none */
  readonly taken?: ReadonlySet<string>;
}

/** The volume that a claim is to have: one that is set aside for it, else the smallest that fits; undefined where there is none. */
export function fittingVolume(
  claim: ReadClaim,
  volumes: readonly ReadVolume[],
  { onlySetAside = false, isReachable = () => true, taken }: VolumeSearch = {},
): ReadVolume | undefined {
  const wanted = requestOf(claim);
  const large = volumes.filter(
    (volume) =>
      taken?.has(volume.metadata.name) !== true &&
      (volume.spec?.claimRef === undefined || isFor(volume, claim)) &&
      capacityOf(volume).compare(wanted) >= 0 &&
      sameMode(volume, claim) &&
      volume.metadata.deletionTimestamp === undefined,
  );
  const mine = large.find((volume) => isFor(volume, claim));
  if (mine !== undefined) return isReachable(mine) ? mine : undefined;
  if (onlySetAside) return undefined;
  const selector = claim.spec?.selector === undefined ? undefined : labelSelectorFrom(claim.spec.selector);
  return large
    .filter(
      (volume) =>
        volume.status?.phase === "Available" &&
        classOf(volume) === classOf(claim) &&
        (selector?.matches(volume.metadata.labels ?? {}) ?? true) &&
        hasModes(volume, claim) &&
        isReachable(volume),
    )
    .sort((a, b) => capacityOf(a).compare(capacityOf(b)) || (a.metadata.name < b.metadata.name ? -1 : 1))[0];
}

/** Why a volume that a claim asks for by name cannot be its own; undefined when it can. */
export function mismatch(volume: ReadVolume, claim: ReadClaim): string | undefined {
  if (capacityOf(volume).compare(requestOf(claim)) < 0) return "requested PV is too small";
  if (classOf(volume) !== classOf(claim)) return "storageClassName does not match";
  if (!sameMode(volume, claim)) return "incompatible volumeMode";
  return hasModes(volume, claim) ? undefined : "incompatible accessMode";
}

/** Whether both are file systems, or both raw devices. */
export function sameMode({ spec: volume }: ReadVolume, { spec: claim }: ReadClaim): boolean {
  return (volume?.volumeMode ?? "Filesystem") === (claim?.volumeMode ?? "Filesystem");
}

function hasModes({ spec: volume }: ReadVolume, { spec: claim }: ReadClaim): boolean {
  return (claim?.accessModes ?? []).every((mode) => volume?.accessModes?.includes(mode) === true);
}

function requestOf({ spec }: ReadClaim): Quantity {
  return Quantity.parse(String(spec?.resources?.requests?.["storage"] ?? "0"));
}

const capacities = new WeakMap<ReadVolume, Quantity>();

/** How large a volume is. Kept with the object, which is frozen: it is asked for each claim and each node. */
function capacityOf(volume: ReadVolume): Quantity {
  const known = capacities.get(volume) ?? Quantity.parse(String(volume.spec?.capacity?.["storage"] ?? "0"));
  capacities.set(volume, known);
  return known;
}
