/**
 * Identity of objects: group, version, kind, key, metadata.
 *
 * @module
 */
export {
  formatApiVersion,
  type GroupVersionKind,
  type GroupVersionResource,
  parseApiVersion,
  qualifiedResource,
} from "./group-version-kind.js";
export type { KubeObject, ManagedFieldsEntry, ObjectMeta, OwnerReference } from "./kube-object.js";
export { formatKey, keyOf, type ObjectKey, parseKey } from "./object-key.js";
export { compareResourceVersions, isResourceVersion } from "./resource-version.js";
