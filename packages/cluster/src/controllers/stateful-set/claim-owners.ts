import type { OwnerReference } from "@kubewright/core/identity";
import { ownerReferenceTo } from "@kubewright/core/meta";
import type { ReadOf } from "kubewright";
import type { PersistentVolumeClaim } from "kubewright/k8s/core/v1";
import { isWanted, ordinalOf, type SetView } from "./ordinals.js";

/** A claim as it was read. */
export type ClaimView = ReadOf<typeof PersistentVolumeClaim>;

/** A pod, or one that is still to be made and has no uid yet. */
export interface ClaimingPod {
  readonly metadata: { readonly name: string; readonly uid?: string };
}

/** The name of the claim of a template for the pod of a number. */
export function claimNameOf(set: SetView, template: string, ordinal: number): string {
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

/** Whether an earlier pod of the same name still holds the claim, so that it will go with that one. */
export function isHeldByEarlierPod(claim: ClaimView, set: SetView, pod: ClaimingPod): boolean {
  return policyOf(set).whenScaled === "Delete" && isStale(claim, references(set, pod).pod);
}

/** What a claim's owners should be by the set's policy, and who stands in the way. */
export interface ClaimOwners {
  /** Undefined where they are as they should be, or not ours to change. */
  readonly change: readonly OwnerReference[] | undefined;
  /** Somebody else controls the claim: the policy is not kept. */
  readonly isConflicting: boolean;
}

/** Who should own a claim, so that it goes when the set's policy says so: with the set, with its pod, or never. */
export function claimOwners(claim: ClaimView, set: SetView, pod: ClaimingPod): ClaimOwners {
  const refs = references(set, pod);
  const owners = claim.metadata.ownerReferences ?? [];
  if (isStale(claim, refs.set) || isStale(claim, refs.pod)) return { change: undefined, isConflicting: false };
  const isOurs = (one: OwnerReference) => isSameObject(one, refs.set) || isSameObject(one, refs.pod);
  const others = owners.filter((one) => !isOurs(one));
  const isConflicting = hasPolicy(set) && others.some(({ controller }) => controller === true);
  if (isConflicting) return { change: owners.length === others.length ? undefined : others, isConflicting };
  const wanted = wantedOwner(set, pod);
  const isRight = (["set", "pod"] as const).every(
    (one) => owners.some(({ uid }) => uid === refs[one].uid) === (wanted === one),
  );
  const isControlled = owners.every((one) => !isOurs(one) || one.controller === true);
  if (isRight && isControlled) return { change: undefined, isConflicting };
  return { change: wanted === undefined ? others : [...others, refs[wanted]], isConflicting };
}

function wantedOwner(set: SetView, pod: ClaimingPod): "set" | "pod" | undefined {
  const { whenDeleted, whenScaled } = policyOf(set);
  if (whenScaled === "Delete" && !isWanted(set, ordinalOf(pod))) return "pod";
  return whenDeleted === "Delete" ? "set" : undefined;
}

function hasPolicy(set: SetView): boolean {
  const { whenDeleted, whenScaled } = policyOf(set);
  return whenDeleted !== "Retain" || whenScaled !== "Retain";
}

function references(set: SetView, pod: ClaimingPod): Readonly<Record<"set" | "pod", OwnerReference>> {
  // A pod without a uid owns nothing yet: no reference can be to it.
  const { name, uid = "none" } = pod.metadata;
  return {
    set: ownerReferenceTo({ apiVersion: "apps/v1", kind: "StatefulSet", metadata: set.metadata }, { controller: true }),
    pod: ownerReferenceTo({ apiVersion: "v1", kind: "Pod", metadata: { name, uid } }, { controller: true }),
  };
}

function isSameObject(a: OwnerReference, b: OwnerReference): boolean {
  return a.apiVersion === b.apiVersion && a.kind === b.kind && a.name === b.name;
}

/** Whether the claim is owned by an object of this name that is not this one. */
function isStale({ metadata }: ClaimView, reference: OwnerReference): boolean {
  const found = metadata.ownerReferences?.find((one) => isSameObject(one, reference));
  return found !== undefined && found.uid !== reference.uid;
}
