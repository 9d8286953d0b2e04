/**
 * Structural schemas: what a value may look like, what is dropped, what is filled in.
 *
 * @module
 */
export { fieldSchema, itemSchema, keywordOf, structureOf } from "./child-schema.js";
export type { Schema, ValidationRule } from "./schema.js";
