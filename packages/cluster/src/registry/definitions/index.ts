/**
 * Definitions of custom resources: which are taken, what they make, and how their objects are checked.
 *
 * @module
 */
export { approvalOf, isProtectedGroup } from "./check-approval.js";
export { conditionStatus } from "./check-definition.js";
export { customResources } from "./custom-resource.js";
export { cleanUpFinalizer, definitionStrategy, withCondition } from "./definition-strategy.js";
