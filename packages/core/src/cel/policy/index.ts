/**
 * The expressions of admission policies: variables that others refer to, and the patches of MutatingAdmissionPolicies.
 *
 * @module
 */
export { applyConfigurationType, jsonPatchType } from "./patch-types.js";
export { jsonOf, structsIn, typeNameProblems, UnusableValue } from "./patch-value.js";
export { PolicyCompiler, type PolicyDeclarations, type PolicyExpression } from "./policy-compiler.js";
export { type PolicyVariables, VariablesValue } from "./variables-value.js";
