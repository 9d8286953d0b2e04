/**
 * MutatingAdmissionPolicy and ValidatingAdmissionPolicy: evaluate the CEL expressions of policies.
 *
 * Takes: admission requests, and the stored policies, bindings and parameters. Gives: changed objects, warnings, audit annotations, or rejections.
 *
 * @module
 */
export { mutatingPolicies } from "./mutating-policies.js";
export type { PolicyDependencies } from "./policy-source.js";
export { type ExpressionWarning, expressionWarnings } from "./type-check.js";
export { validatingPolicies } from "./validating-policies.js";
