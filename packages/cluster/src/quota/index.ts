/**
 * Quota usage of objects. Admission charges it, and the ResourceQuota controller recalculates it.
 *
 * @module
 */

export { type CountedObject, countName, type Evaluator, evaluatorFor, isIgnored } from "./evaluator.js";
export { containerResources, countedUntilMs, isPodLevelResource } from "./pod-evaluator.js";
export {
  addResources,
  equalResources,
  formatResourceList,
  parseResourceList,
  type ResourceList,
  resourceListString,
} from "./resource-list.js";
export { matchesScopes, type ScopedQuota, scopesOf } from "./scope.js";
