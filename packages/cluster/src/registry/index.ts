/**
 * Every resource as data, and one implementation of the verbs for all of them.
 *
 * Takes: requests from `apiserver`, already parsed. Gives: objects and failures. Next: `../storage/index.ts`
 *
 * @module
 */
export {
  ApiFailure,
  badRequest,
  expired,
  forbidden,
  invalid,
  methodNotAllowed,
  notFound,
  notImplemented,
  resourceNotFound,
  unsupportedMediaType,
} from "./api-failure.js";
export { builtinSchema, kubernetesVersion, rawComponent, reachedFrom } from "./builtin-api.js";
export { definitionsBucket, namespacesBucket } from "./builtin-resources.js";
export { type ChangeTarget, changeObject, updateObject } from "./change.js";
export { createObject } from "./create.js";
export { type DeleteOptions, type Deletion, deleteObject, deleteRecord, type PropagationPolicy } from "./delete.js";
export { type Draft, type DraftValue, draftOf, listAt, metadataOf, objectAt, textAt, textsAt } from "./draft.js";
export { isTrue, type ListQuery, parseListQuery } from "./list-query.js";
export { acceptedPatchTypes, applyPatchType, type PatchRequest, patchObject } from "./patch.js";
export { getObject, type ListAnswer, listObjects } from "./read.js";
export { Registry, type RegistryOptions } from "./registry.js";
export type { Column, Resource, Strategy, Subresource } from "./resource.js";
export { type WatchEvent, type WatchSource, WatchStream } from "./watch.js";
export { type FieldValidation, timestamp, type WriteContext, type WriteOptions } from "./write-context.js";
