/**
 * Server-side apply: managedFields, merging and conflicts.
 *
 * @module
 */
export { type ApplyOptions, type ApplyResult, applyConfiguration } from "./apply-configuration.js";
export { type CheckTypedOptions, checkTyped, typedMessage } from "./check-typed.js";
export { type ApplyConflict, conflictMessage, describeManager } from "./conflict.js";
export { FieldSet } from "./field-set.js";
export { fieldSetOf } from "./field-set-of.js";
export type { KindVersions } from "./kind-versions.js";
export { atomicPaths, mergeConfiguration } from "./merge-configuration.js";
export { openSchema } from "./open-schema.js";
export type { PathElement } from "./path-element.js";
export { type TrackUpdateOptions, trackUpdate, updatedManagers } from "./track-update.js";
