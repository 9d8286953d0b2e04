/**
 * Role-based access control: which rules apply to a user, what they allow, and what a user may grant.
 *
 * @module
 */
export { type AggregatedRole, aggregatedRoleOf, aggregatedRules, sameRules } from "./aggregation.js";
export { uncoveredRules } from "./covers.js";
export { escalationOf, type Granting } from "./escalation.js";
export { matchesPath, matchesResource, namesOf } from "./policy-rule.js";
export { RbacAuthorizer } from "./rbac-authorizer.js";
