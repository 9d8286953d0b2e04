import { controllerOf, type Owned } from "@kubewright/core/meta";

/** What an object must tell to be found by its owner. */
interface Owners {
  readonly metadata: Owned["metadata"];
}

/** The index under which objects are found by the uid of what controls them, and those without by their namespace. */
export function byController(object: Owners): string {
  return controllerOf(object)?.uid ?? unownedIn(object.metadata.namespace ?? "");
}

/** Where {@link byController} finds the objects that an owner controls. */
export function ownedBy(uid: string): string {
  return uid;
}

/** Where {@link byController} finds the objects of a namespace that nothing controls. */
export function unownedIn(namespace: string): string {
  return `nobody's in ${namespace}`;
}
