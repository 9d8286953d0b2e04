/**
 * Derives RBAC rules from what controllers declare.
 *
 * @module
 */
export {
  type DeclaredAccess,
  type DeriveRulesOptions,
  deriveLeaseRules,
  deriveRules,
  type PolicyRule,
} from "./derive-rules.js";
