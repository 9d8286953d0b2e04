/**
 * Permissions come from what controllers declare.
 *
 * @module
 */
export { type DeclaredAccess, type DeriveRulesOptions, deriveRules, type PolicyRule } from "./derive-rules.js";
