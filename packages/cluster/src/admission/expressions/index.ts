/**
 * What the CEL expressions of webhooks and policies read: the request, its objects, and access decisions for its user.
 *
 * @module
 */
export { admissionBindings, type ExpressionInput } from "./admission-bindings.js";
export { requestObject } from "./request-object.js";
