import { type ObjectMeta, qualifiedResource } from "@kubewright/core/identity";
import type { AnyKind } from "../definition/index.js";

/** The label of objects that an owner of this kind manages: its uid. */
export function ownerLabel({ group, plural }: AnyKind): string {
  return `${qualifiedResource(group, plural)}/owner-uid`;
}

/** The annotation of objects that an owner of this kind manages: its key, which may be too long for a label. */
export function ownerAnnotation({ group, plural }: AnyKind): string {
  return `${qualifiedResource(group, plural)}/owner`;
}

/** The key of the owner of this kind that manages an object. */
export function managerOf(kind: AnyKind, { annotations = {} }: ObjectMeta): string | undefined {
  const owner = annotations[ownerAnnotation(kind)];
  return owner === "" ? undefined : owner;
}
