/**
 * Stages 3 and 5 of 7 · registry: every resource as data, and one implementation of the verbs for all of them.
 *
 * Takes: parsed requests of a user from `apiserver`. Gives: decoded drafts with managedFields, later prepared and valid objects.
 * Next: `../admission/index.ts`, then `../storage/index.ts`
 *
 * @module
 */

export type { Admission, AdmissionRequest, SubresourceForm } from "./admission.js";
export {
  ApiFailure,
  badRequest,
  forbidden,
  internalError,
  invalid,
  notFound,
  resourceNotFound,
  unsupportedMediaType,
} from "./api-failure.js";
export { type Applied, applyObject } from "./apply.js";
export { createBootstrapObjects } from "./bootstrap.js";
export { bootstrapRules, reconcileBootstrapPolicy } from "./bootstrap-policy.js";
export { kubernetesVersion, rawComponent, reachedFrom } from "./builtin-api.js";
export { definitionsBucket, namespacesBucket } from "./builtin-resources.js";
export { changeObject, updateObject } from "./change.js";
export { ageColumn } from "./columns.js";
export { createObject, decodeNew } from "./create.js";
export { readableBody } from "./decode-body.js";
export {
  approvalOf,
  cleanUpFinalizer,
  conditionStatus,
  customResources,
  isProtectedGroup,
  withCondition,
} from "./definitions/index.js";
export { type DeleteOptions, type Deletion, deleteObject, deleteRecord, type PropagationPolicy } from "./delete.js";
export {
  childDraft,
  type Draft,
  type DraftValue,
  draftOf,
  draftsIn,
  keepFrom,
  listAt,
  metadataOf,
  numberAt,
  objectAt,
  optionalNumber,
  textAt,
  textsAt,
} from "./draft.js";
export { andThen, type Eventually } from "./eventually.js";
export { type ConversionWebhook, calledConverter, type ObjectConverter } from "./extensions/index.js";
export { decodeBuiltin, jsonTypeOf } from "./go/index.js";
export {
  type AdmissionVariables,
  admissionStructs,
  admissionVariables,
  type CompiledPolicy,
  classAnnotation,
  classOf,
  compileCondition,
  compilePolicy,
  type PolicySpec,
  requestedStorage,
} from "./kinds/index.js";
export { isTrue, type ListQuery, parseGetVersion, parseListQuery } from "./list-query.js";
export { type TrackedWrite, trackWrite } from "./managed-fields.js";
export { parseInteger } from "./parse-integer.js";
export { acceptedPatchTypes, applyPatchType, patchObject, requirePatchType } from "./patch.js";
export { getObject, getStored, listObjects, type ObjectList } from "./read.js";
export { Registry, type RegistryOptions } from "./registry.js";
export { type DocumentField, emptyBody, type MalformedBody, type RequestBody } from "./request-body.js";
export { mergeSchemaOf, type Resource, readStored, type Subresource } from "./resource.js";
export type { Column, Strategy, StrategyContext } from "./strategy.js";
export type { TokenSigner } from "./token-signer.js";
export { quantityOf } from "./validation/index.js";
export { type WatchEvent, type WatchSource, WatchStream } from "./watch.js";
export {
  type FieldValidation,
  timestamp,
  type WriteContext,
  type WriteOptions,
  type WriteRequest,
  type WriteTarget,
} from "./write-context.js";
export { writeRecord } from "./write-record.js";
export { decodeAdmitted, sentOptions } from "./write-steps.js";
