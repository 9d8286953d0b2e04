/**
 * Random roles, bindings and questions: our authorizer must have the verdict of a real server's SubjectAccessReview.
 *
 * @module
 */
export { type ComparedPolicy, comparePolicy } from "./same-verdicts.js";
