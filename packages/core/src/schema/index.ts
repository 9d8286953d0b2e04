/**
 * Structural schemas: what a value may look like, what is dropped, what is filled in.
 *
 * @module
 */
export { applyDefaults, dropNulls } from "./apply-defaults.js";
export { checkStructural } from "./check-structural.js";
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
export { type CompiledPattern, compilePattern } from "./pattern.js";
export { type Pruned, type PruneOptions, pruneUnknown } from "./prune-unknown.js";
export type { Schema, ValidationRule } from "./schema.js";
export { validateValue } from "./validate-value.js";
