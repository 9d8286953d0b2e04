import { OperatorError } from "../errors/index.js";
import { formatKey, type KubeObject, keyOf, type OwnerReference, parseApiVersion } from "../identity/index.js";

/** An object that may have owners, stored or not yet created. */
export interface Owned {
  readonly kind?: string;
  readonly metadata: {
    readonly name?: string;
    readonly namespace?: string;
    readonly ownerReferences?: readonly OwnerReference[];
  };
}

/** An object that may own others. It comes from the server, so it has a uid. */
export type Owner = Pick<KubeObject, "apiVersion" | "kind" | "metadata">;

/**
 * An owner reference to `owner`. With `controller`, it is the controller reference, and sets blockOwnerDeletion.
 * Throws a NOT_SUPPORTED error if the owner has no uid, because it is not stored yet.
 */
export function ownerReferenceTo(owner: Owner, { controller }: { readonly controller: boolean }): OwnerReference {
  const { name, uid } = owner.metadata;
  if (uid === undefined || uid === "") {
    throw new OperatorError("NOT_SUPPORTED", `Cannot refer to owner ${describe(owner)}: it has no uid`);
  }
  const reference = { apiVersion: owner.apiVersion, kind: owner.kind, name, uid };
  return controller ? { ...reference, controller: true, blockOwnerDeletion: true } : reference;
}

/** The controller reference of an object; undefined if it has none. */
export function controllerOf(object: Owned): OwnerReference | undefined {
  return object.metadata.ownerReferences?.find((reference) => reference.controller === true);
}

/**
 * Sets `owner` as the controller of an object. Replaces a reference with the same group, kind and name, even if its
 * version or uid differ. Returns the same object if nothing changes.
 *
 * Throws a NOT_CONTROLLED error if the object has another controller, and a NOT_SUPPORTED error if a namespaced owner
 * would own an object outside of its namespace.
 */
export function setControllerReference<T extends Owned>(object: T, owner: Owner): T {
  const current = controllerOf(object);
  if (current !== undefined && !refersTo(current, owner)) {
    throw new OperatorError(
      "NOT_CONTROLLED",
      `Cannot make ${describe(owner)} the controller of ${describe(object)}: it is controlled by ${current.kind} "${current.name}"`,
    );
  }
  return upsert(object, owner, ownerReferenceTo(owner, { controller: true }));
}

/** Adds an owner reference without controller. The same namespace rules apply. */
export function setOwnerReference<T extends Owned>(object: T, owner: Owner): T {
  return upsert(object, owner, ownerReferenceTo(owner, { controller: false }));
}

/** Whether `owner` is among the object's owners, by group, kind and name. */
export function hasOwnerReference(object: Owned, owner: Owner): boolean {
  return object.metadata.ownerReferences?.some((reference) => refersTo(reference, owner)) ?? false;
}

/** Removes an owner reference. Throws a NOT_CONTROLLED error if the object has none to `owner`. */
export function removeOwnerReference<T extends Owned>(object: T, owner: Owner): T {
  if (!hasOwnerReference(object, owner)) {
    throw new OperatorError(
      "NOT_CONTROLLED",
      `Cannot remove owner ${describe(owner)} from ${describe(object)}: it is not one of its owners`,
    );
  }
  const references = object.metadata.ownerReferences ?? [];
  return withReferences(
    object,
    references.filter((reference) => !refersTo(reference, owner)),
  );
}

function upsert<T extends Owned>(object: T, owner: Owner, reference: OwnerReference): T {
  checkNamespaces(object, owner);
  const references = object.metadata.ownerReferences ?? [];
  const index = references.findIndex((candidate) => refersTo(candidate, owner));
  const current = references[index];
  if (current === undefined) return withReferences(object, [...references, reference]);
  if (isSame(current, reference)) return object;
  return withReferences(object, references.with(index, reference));
}

function withReferences<T extends Owned>(object: T, ownerReferences: readonly OwnerReference[]): T {
  return { ...object, metadata: { ...object.metadata, ownerReferences } };
}

function checkNamespaces(object: Owned, owner: Owner): void {
  const ownerNamespace = owner.metadata.namespace ?? "";
  const namespace = object.metadata.namespace ?? "";
  if (ownerNamespace === "" || ownerNamespace === namespace) return;
  const why =
    namespace === ""
      ? "a cluster-scoped object must not have a namespaced owner"
      : "owners in another namespace are not allowed";
  throw new OperatorError("NOT_SUPPORTED", `Cannot make ${describe(owner)} an owner of ${describe(object)}: ${why}`);
}

function refersTo(reference: OwnerReference, owner: Owner): boolean {
  const isSameGroup = groupOf(reference.apiVersion) === groupOf(owner.apiVersion);
  return isSameGroup && reference.kind === owner.kind && reference.name === owner.metadata.name;
}

function groupOf(apiVersion: string): string {
  return parseApiVersion(apiVersion)?.group ?? apiVersion;
}

function isSame(a: OwnerReference, b: OwnerReference): boolean {
  return (
    a.apiVersion === b.apiVersion &&
    a.uid === b.uid &&
    a.controller === b.controller &&
    a.blockOwnerDeletion === b.blockOwnerDeletion
  );
}

function describe(object: Owned): string {
  const { name = "", namespace = "" } = object.metadata;
  return `${object.kind ?? "object"} "${formatKey(keyOf({ metadata: { name, namespace } }))}"`;
}
