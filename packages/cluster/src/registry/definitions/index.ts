/**
 * CustomResourceDefinitions: their strategy, the resources that they define, and the strategy of custom resources.
 *
 * @module
 */
export { approvalOf, isProtectedGroup } from "./check-approval.js";
export { conditionStatus } from "./check-definition.js";
export { customResources } from "./custom-resource.js";
export { cleanUpFinalizer, definitionStrategy, withCondition } from "./definition-strategy.js";
