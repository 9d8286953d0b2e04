/**
 * Derives RBAC rules from the declarations of controllers.
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
