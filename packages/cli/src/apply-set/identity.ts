import { createHash } from "node:crypto";

/** The ConfigMap that an ApplySet belongs to. */
export interface ApplySetParent {
  readonly name: string;
  readonly namespace: string;
}

/** On the parent: the id of its set. */
export const idLabel = "applyset.kubernetes.io/id";
/** On each member: the id of its set. */
export const partOfLabel = "applyset.kubernetes.io/part-of";
/** On the parent: which program manages the set. */
export const toolingAnnotation = "applyset.kubernetes.io/tooling";
/** On the parent: the kinds of all members, such as `Deployment.apps`. */
export const groupKindsAnnotation = "applyset.kubernetes.io/contains-group-kinds";
/** On the parent: namespaces of members other than its own. */
export const namespacesAnnotation = "applyset.kubernetes.io/additional-namespaces";

/** The id of a set, as the ApplySet specification (KEP-3659) computes it. */
export function applySetId({ name, namespace }: ApplySetParent): string {
  const hash = createHash("sha256").update(`${name}.${namespace}.ConfigMap.`).digest("base64url");
  return `applyset-${hash}-v1`;
}
