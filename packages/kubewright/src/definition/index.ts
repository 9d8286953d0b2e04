/**
 * Resource definitions: the type, the schema and the permissions of a resource come from one value.
 *
 * @module
 */
export { closestName } from "./closest-name.js";
export { besides, type ClusterKind, clusterPath, ofCluster } from "./cluster-kind.js";
export type {
  Conversions,
  ConversionWebhook,
  ServedConversion,
  VersionConversion,
  WebhookService,
} from "./conversion.js";
export { convertObject, lostAnnotation } from "./convert-object.js";
export {
  type CrdOptions,
  type CustomResourceDefinition,
  type CustomResourceVersion,
  crdOf,
  hasStatus,
} from "./custom-resource-definition.js";
export type { Declared, Rejected } from "./declared.js";
export {
  defineResource,
  isResource,
  type KnownOptions,
  type Resource,
  type ResourceDefinition,
  type ResourceOptions,
  type VersionKind,
  type WithDefinition,
} from "./define-resource.js";
export {
  type AnyKind,
  type ConditionsOf,
  defineKind,
  type Kind,
  type KindTypes,
  type ObjectOf,
  type ReadMeta,
  type ReadOf,
  type Scope,
  type ScopeOf,
  type StatusOf,
  type TypesOf,
  type WriteMeta,
  type WriteOf,
} from "./kind.js";
export { type KstatusReasons, kstatusReasons, type WithKstatus } from "./kstatus-conditions.js";
export { prunedFields } from "./pruned-fields.js";
export { type ServedDefinition, type ServedVersion, unsafeChanges } from "./unsafe-changes.js";
export type {
  Condition,
  ConditionReasons,
  PrinterColumn,
  ScalePaths,
  ValidationRule,
  VersionBody,
  VersionOptions,
  VersionTypes,
} from "./version-options.js";
export { versionSchemas } from "./version-schemas.js";
export type { AnyObjectSchema, AnyStatusSchema } from "./zod-definition.js";
