/**
 * The CEL rules of CRDs (`x-kubernetes-validations`), as kube-apiserver checks and evaluates them.
 *
 * @module
 */
export { type CheckRulesOptions, checkRules } from "./check-rules.js";
export { evaluateDefault, evaluateRules, type RuleSubject, type RuleViolations } from "./rule-validator.js";
