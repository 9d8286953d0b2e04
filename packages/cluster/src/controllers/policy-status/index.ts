/**
 * The status of ValidatingAdmissionPolicies.
 *
 * @module
 */
export { type ExpressionWarnings, policyStatusController } from "./policy-status-controller.js";
