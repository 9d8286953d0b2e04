import { Quantity } from "@kubewright/core/quantity";
import { labelSelectorFrom } from "@kubewright/core/selector";
import type { ReadOf } from "kubewright";
import type { PersistentVolume, PersistentVolumeClaim } from "kubewright/k8s/core/v1";

export type ReadClaim = ReadOf<typeof PersistentVolumeClaim>;
export type ReadVolume = ReadOf<typeof PersistentVolume>;

const classAnnotation = "volume.beta.kubernetes.io/storage-class";

/** The storage class of a PVC or PV; "" for none. */
export function classOf({ metadata, spec }: ReadClaim | ReadVolume): string {
  return metadata.annotations?.[classAnnotation] ?? spec?.storageClassName ?? "";
}

/** Whether a PV's claimRef names this PVC: by uid, or by namespace and name where the claimRef has no uid. */
export function isFor({ spec }: ReadVolume, { metadata }: ReadClaim): boolean {
  const { claimRef } = spec ?? {};
  if (claimRef === undefined || claimRef.name !== metadata.name || claimRef.namespace !== metadata.namespace)
    return false;
  return claimRef.uid === undefined || claimRef.uid === "" || claimRef.uid === metadata.uid;
}

/** Restricts the PVs that a PVC may be bound to. */
export interface VolumeSearch {
  /** Consider only PVs that are pre-bound to the PVC. @default false */
  readonly onlySetAside?: boolean;
  /** Whether the candidate node satisfies the PV's node affinity. @default any node */
  readonly isReachable?: (volume: ReadVolume) => boolean;
  /** Names of PVs that other PVCs of the Pod get. @default none */
  readonly taken?: ReadonlySet<string>;
}

/** The PV to bind a PVC to: a pre-bound one, else the smallest that matches. */
export function fittingVolume(
  claim: ReadClaim,
  volumes: readonly ReadVolume[],
  { onlySetAside = false, isReachable = () => true, taken }: VolumeSearch = {},
): ReadVolume | undefined {
  const requested = requestOf(claim);
  const candidates = volumes.filter(
    (volume) =>
      taken?.has(volume.metadata.name) !== true &&
      (volume.spec?.claimRef === undefined || isFor(volume, claim)) &&
      capacityOf(volume).compare(requested) >= 0 &&
      sameMode(volume, claim) &&
      volume.metadata.deletionTimestamp === undefined,
  );
  const preBound = candidates.find((volume) => isFor(volume, claim));
  if (preBound !== undefined) return isReachable(preBound) ? preBound : undefined;
  if (onlySetAside) return undefined;
  const selector = claim.spec?.selector === undefined ? undefined : labelSelectorFrom(claim.spec.selector);
  return candidates
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

/** Why a PVC cannot be bound to the PV that it names in volumeName; undefined if it can. */
export function mismatch(volume: ReadVolume, claim: ReadClaim): string | undefined {
  if (capacityOf(volume).compare(requestOf(claim)) < 0) return "requested PV is too small";
  if (classOf(volume) !== classOf(claim)) return "storageClassName does not match";
  if (!sameMode(volume, claim)) return "incompatible volumeMode";
  return hasModes(volume, claim) ? undefined : "incompatible accessMode";
}

/** Whether the volumeMode of both is equal; the default is Filesystem. */
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

/** The capacity of a PV, cached per frozen object: the scheduler needs it for each PVC and node. */
function capacityOf(volume: ReadVolume): Quantity {
  const known = capacities.get(volume) ?? Quantity.parse(String(volume.spec?.capacity?.["storage"] ?? "0"));
  capacities.set(volume, known);
  return known;
}
