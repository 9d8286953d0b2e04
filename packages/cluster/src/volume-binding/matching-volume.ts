import { Quantity } from "@kubewright/core/quantity";
import { labelSelectorFrom } from "@kubewright/core/selector";
import type { ReadOf } from "kubewright";
import type { PersistentVolume, PersistentVolumeClaim } from "kubewright/k8s/core/v1";

export type ReadPvc = ReadOf<typeof PersistentVolumeClaim>;
export type ReadPv = ReadOf<typeof PersistentVolume>;

const classAnnotation = "volume.beta.kubernetes.io/storage-class";

/** The storage class of a PVC or PV; "" for none. */
export function classOf({ metadata, spec }: ReadPvc | ReadPv): string {
  return metadata.annotations?.[classAnnotation] ?? spec?.storageClassName ?? "";
}

/** Whether a PV's claimRef names this PVC: by uid, or by namespace and name where the claimRef has no uid. */
export function isVolumeBoundToClaim({ spec }: ReadPv, { metadata }: ReadPvc): boolean {
  const { claimRef } = spec ?? {};
  if (claimRef === undefined || claimRef.name !== metadata.name || claimRef.namespace !== metadata.namespace)
    return false;
  return claimRef.uid === undefined || claimRef.uid === "" || claimRef.uid === metadata.uid;
}

/** Restricts the PVs that a PVC may be bound to. */
export interface VolumeSearch {
  /** Consider only PVs that are pre-bound to the PVC. @default false */
  readonly onlyPreBound?: boolean;
  /** Whether the candidate node satisfies the PV's node affinity. @default any node */
  readonly matchesNodeAffinity?: (volume: ReadPv) => boolean;
  /** Names of PVs that other PVCs of the Pod get. @default none */
  readonly excluded?: ReadonlySet<string>;
}

/** The PV to bind a PVC to: a pre-bound one, else the smallest that matches. */
export function findMatchingVolume(
  claim: ReadPvc,
  volumes: readonly ReadPv[],
  { onlyPreBound = false, matchesNodeAffinity = () => true, excluded }: VolumeSearch = {},
): ReadPv | undefined {
  const requested = requestOf(claim);
  const candidates = volumes.filter(
    (volume) =>
      excluded?.has(volume.metadata.name) !== true &&
      (volume.spec?.claimRef === undefined || isVolumeBoundToClaim(volume, claim)) &&
      capacityOf(volume).compare(requested) >= 0 &&
      sameVolumeMode(volume, claim) &&
      volume.metadata.deletionTimestamp === undefined,
  );
  const preBound = candidates.find((volume) => isVolumeBoundToClaim(volume, claim));
  if (preBound !== undefined) return matchesNodeAffinity(preBound) ? preBound : undefined;
  if (onlyPreBound) return undefined;
  const selector = claim.spec?.selector === undefined ? undefined : labelSelectorFrom(claim.spec.selector);
  return candidates
    .filter(
      (volume) =>
        volume.status?.phase === "Available" &&
        classOf(volume) === classOf(claim) &&
        (selector?.matches(volume.metadata.labels ?? {}) ?? true) &&
        hasAccessModes(volume, claim) &&
        matchesNodeAffinity(volume),
    )
    .sort((a, b) => capacityOf(a).compare(capacityOf(b)) || (a.metadata.name < b.metadata.name ? -1 : 1))[0];
}

/** Why a PVC cannot be bound to the PV that it names in volumeName; undefined if it can. */
export function bindingMismatch(volume: ReadPv, claim: ReadPvc): string | undefined {
  if (capacityOf(volume).compare(requestOf(claim)) < 0) return "requested PV is too small";
  if (classOf(volume) !== classOf(claim)) return "storageClassName does not match";
  if (!sameVolumeMode(volume, claim)) return "incompatible volumeMode";
  return hasAccessModes(volume, claim) ? undefined : "incompatible accessMode";
}

/** Whether the volumeMode of both is equal; the default is Filesystem. */
export function sameVolumeMode({ spec: volume }: ReadPv, { spec: claim }: ReadPvc): boolean {
  return (volume?.volumeMode ?? "Filesystem") === (claim?.volumeMode ?? "Filesystem");
}

function hasAccessModes({ spec: volume }: ReadPv, { spec: claim }: ReadPvc): boolean {
  return (claim?.accessModes ?? []).every((mode) => volume?.accessModes?.includes(mode) === true);
}

function requestOf({ spec }: ReadPvc): Quantity {
  return Quantity.parse(String(spec?.resources?.requests?.["storage"] ?? "0"));
}

const capacities = new WeakMap<ReadPv, Quantity>();

/** The capacity of a PV, cached per frozen object: the scheduler needs it for each PVC and node. */
function capacityOf(volume: ReadPv): Quantity {
  const known = capacities.get(volume) ?? Quantity.parse(String(volume.spec?.capacity?.["storage"] ?? "0"));
  capacities.set(volume, known);
  return known;
}
