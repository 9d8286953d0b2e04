/**
 * Structural schemas: validation, pruning and defaulting.
 *
 * @module
 */
export { applyDefaults, dropNulls } from "./apply-defaults.js";
export type { DefaultChecks } from "./check-defaults.js";
export { type CheckStructuralOptions, checkStructural } from "./check-structural.js";
export { fieldSchema, itemSchema, keywordOf, structureOf } from "./child-schema.js";
export {
  duplicate,
  type FieldError,
  type FieldErrorType,
  fieldErrorBody,
  fieldErrorReason,
  forbidden,
  formatFieldError,
  invalid,
  notSupported,
  required,
  tooLong,
  tooMany,
} from "./field-error.js";
export { type FieldPath, resolveFieldPath } from "./field-path.js";
export { hasFormat, isKnownFormat } from "./formats.js";
export { metaWords } from "./meta-words.js";
export { type Pruned, type PruneOptions, pruneUnknown } from "./prune-unknown.js";
export type { Schema, ValidationRule } from "./schema.js";
export { validateEmbedded } from "./validate-embedded.js";
export { correlatedItem, validateLists } from "./validate-lists.js";
export { type ValidateOptions, validateValue } from "./validate-value.js";
