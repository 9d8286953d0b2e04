/**
 * What objects count for in quotas: told by admission, which charges it, and by the controller, which counts it anew.
 *
 * @module
 */
export { type Amounts, addAmounts, amountsFrom, amountsText, sameAmounts, textsFrom } from "./amounts.js";
export { type CountedObject, countName, type Evaluator, evaluatorFor, isIgnored } from "./evaluator.js";
export { containerAmounts, doneCountingMs, isOfWholePods } from "./pod-evaluator.js";
export { type CountingQuota, isInScopes, scopesOf } from "./scope.js";
