/**
 * Quota usage of objects. Admission charges it, and the ResourceQuota controller recalculates it.
 *
 * @module
 */
export { type Amounts, addAmounts, amountsFrom, amountsText, sameAmounts, textsFrom } from "./amounts.js";
export { type CountedObject, countName, type Evaluator, evaluatorFor, isIgnored } from "./evaluator.js";
export { containerAmounts, doneCountingMs, isOfWholePods } from "./pod-evaluator.js";
export { type CountingQuota, isInScopes, scopesOf } from "./scope.js";
