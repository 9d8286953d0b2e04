import { controllerOf, type Owned } from "@kubewright/core/meta";

/** An object with ownerReferences. */
interface Owners {
  readonly metadata: Owned["metadata"];
}

/** The index of objects by the uid of their controller; objects without a controller are indexed by namespace. */
export function byController(object: Owners): string {
  return controllerOf(object)?.uid ?? unownedIn(object.metadata.namespace ?? "");
}

/** The {@link byController} key of the objects that an owner controls. */
export function ownedBy(uid: string): string {
  return uid;
}

/** The {@link byController} key of the objects of a namespace without a controller. */
export function unownedIn(namespace: string): string {
  return `unowned in ${namespace}`;
}
