/**
 * The RBAC rules that controllers need, derived from what they declare.
 *
 * @module
 */
export {
  type DeclaredAccess,
  type DeriveRulesOptions,
  deriveLeaseRules,
  deriveRules,
  type PolicyRule,
} from "../permissions/index.js";
