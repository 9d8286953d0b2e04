/**
 * Stage 2 of 7 · access: authentication, impersonation and authorization of a request.
 *
 * Takes: the credentials and headers of a request from `apiserver`. Gives: the authorized user of the request, or a rejection.
 * Next: `../registry/index.ts`
 *
 * @module
 */
export { AccessControl, type AccessOptions } from "./access-control.js";
export type { Authentication, Authenticator, CertificateSubject, Credentials } from "./authenticator.js";
export {
  type AccessAttributes,
  type AccessRules,
  type Authorizer,
  allowAll,
  type Decision,
  type PolicyRule,
  type ResourceAttributes,
  type RoleAuthorizer,
  type RoleRef,
} from "./authorizer.js";
export { bootstrapTokens } from "./bootstrap-tokens.js";
export { clientCertificates } from "./client-certificates.js";
export { ClusterAuthorizer } from "./cluster-authorizer.js";
export {
  type AggregatedRole,
  aggregatedRoleOf,
  aggregatedRules,
  escalationOf,
  sameRules,
  uncoveredRules,
} from "./rbac/index.js";
export { serviceAccountTokens, type TokenVerifier } from "./service-account-tokens.js";
export { parseTokenFile, staticTokens, type TokenUser, tokenUsers } from "./static-tokens.js";
export {
  administrator,
  anonymousUser,
  authenticatedUser,
  mastersGroup,
  nodeUser,
  serviceAccountUser,
  type User,
} from "./user.js";
