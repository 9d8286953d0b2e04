import type { OwnerReference } from "@kubewright/core/identity";
import { ownerReferenceTo } from "@kubewright/core/meta";
import type { ReadOf } from "kubewright";
import type { PersistentVolumeClaim } from "kubewright/k8s/core/v1";
import { isInOrdinalRange, ordinalOf, type SetView } from "./ordinals.js";

/** A PVC from the cache. */
export type PvcView = ReadOf<typeof PersistentVolumeClaim>;

/** A Pod, or a Pod to create, which has no uid yet. */
export interface PodIdentity {
  readonly metadata: { readonly name: string; readonly uid?: string };
}

/** The name of the PVC of a volumeClaimTemplate for an ordinal. */
export function pvcNameOf(set: SetView, template: string, ordinal: number): string {
  return `${template}-${set.metadata.name}-${ordinal}`;
}

interface Policy {
  readonly whenDeleted: string;
  readonly whenScaled: string;
}

function policyOf({ spec }: SetView): Policy {
  const { whenDeleted = "Retain", whenScaled = "Retain" } = spec.persistentVolumeClaimRetentionPolicy ?? {};
  return { whenDeleted, whenScaled };
}

/** Whether an earlier Pod of the same name owns the PVC, so that the garbage collector will delete it. */
export function isOwnedByEarlierPod(claim: PvcView, set: SetView, pod: PodIdentity): boolean {
  return policyOf(set).whenScaled === "Delete" && isStale(claim, references(set, pod).pod);
}

/** The desired ownerReferences of a PVC by the retention policy. */
export interface PvcOwners {
  /** Undefined if they are as desired, or must not be changed. */
  readonly change: readonly OwnerReference[] | undefined;
  /** Another object controls the PVC, so the policy is ignored. */
  readonly isConflicting: boolean;
}

/** Computes the ownerReferences that implement the retention policy of a PVC: the StatefulSet, the Pod, or none. */
export function pvcOwners(claim: PvcView, set: SetView, pod: PodIdentity): PvcOwners {
  const refs = references(set, pod);
  const owners = claim.metadata.ownerReferences ?? [];
  if (isStale(claim, refs.set) || isStale(claim, refs.pod)) return { change: undefined, isConflicting: false };
  const isOurs = (one: OwnerReference) => isSameObject(one, refs.set) || isSameObject(one, refs.pod);
  const others = owners.filter((one) => !isOurs(one));
  const isConflicting = hasPolicy(set) && others.some(({ controller }) => controller === true);
  if (isConflicting) return { change: owners.length === others.length ? undefined : others, isConflicting };
  const desired = desiredOwner(set, pod);
  const isDesired = (["set", "pod"] as const).every(
    (one) => owners.some(({ uid }) => uid === refs[one].uid) === (desired === one),
  );
  const isControlled = owners.every((one) => !isOurs(one) || one.controller === true);
  if (isDesired && isControlled) return { change: undefined, isConflicting };
  return { change: desired === undefined ? others : [...others, refs[desired]], isConflicting };
}

function desiredOwner(set: SetView, pod: PodIdentity): "set" | "pod" | undefined {
  const { whenDeleted, whenScaled } = policyOf(set);
  if (whenScaled === "Delete" && !isInOrdinalRange(set, ordinalOf(pod))) return "pod";
  return whenDeleted === "Delete" ? "set" : undefined;
}

function hasPolicy(set: SetView): boolean {
  const { whenDeleted, whenScaled } = policyOf(set);
  return whenDeleted !== "Retain" || whenScaled !== "Retain";
}

function references(set: SetView, pod: PodIdentity): Readonly<Record<"set" | "pod", OwnerReference>> {
  // A Pod without uid owns nothing yet: no reference can match.
  const { name, uid = "none" } = pod.metadata;
  return {
    set: ownerReferenceTo({ apiVersion: "apps/v1", kind: "StatefulSet", metadata: set.metadata }, { controller: true }),
    pod: ownerReferenceTo({ apiVersion: "v1", kind: "Pod", metadata: { name, uid } }, { controller: true }),
  };
}

function isSameObject(a: OwnerReference, b: OwnerReference): boolean {
  return a.apiVersion === b.apiVersion && a.kind === b.kind && a.name === b.name;
}

/** Whether another object of the same kind and name owns the PVC. */
function isStale({ metadata }: PvcView, reference: OwnerReference): boolean {
  const found = metadata.ownerReferences?.find((one) => isSameObject(one, reference));
  return found !== undefined && found.uid !== reference.uid;
}
