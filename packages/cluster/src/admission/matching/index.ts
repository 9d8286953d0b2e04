/**
 * Which requests a webhook or an admission policy applies to, and the object in the version that it expects.
 *
 * Takes: admission requests, and the match fields of webhooks and policies. Gives: matches.
 *
 * @module
 */
export {
  type AdmittedObjects,
  admittedObject,
  admittedObjects,
  conversionProblem,
  convertObject,
  replaceAdmitted,
} from "./admitted-object.js";
export { concerns } from "./concerns.js";
export { isExempt } from "./exempt-kinds.js";
export { type MatchContext, matchContext } from "./match-context.js";
export { type MatchCriteria, type MatchFields, parseCriteria } from "./match-criteria.js";
export { type Match, matchRequest } from "./match-request.js";
export { kindOfRequest, namespaceOfRequest } from "./request-attributes.js";
