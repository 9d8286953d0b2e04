/**
 * Stage 2 of 7 · access: authentication, impersonation and authorization of a request.
 *
 * Takes: the credentials and headers of a request from `apiserver`. Gives: the authorized user of the request, or a rejection.
 * Next: `../registry/index.ts`
 *
 * @module
 */
export { AccessControl } from "./access-control.js";
export { administratorAuthorizer } from "./administrator-authorizer.js";
export type { Authentication, Authenticator, CertificateSubject, Credentials } from "./authenticator.js";
export type { AccessAttributes, AccessRules, Authorizer, Decision } from "./authorizer.js";
export { clientCertificates } from "./client-certificates.js";
export { staticToken } from "./static-token.js";
export { administrator, anonymousUser, authenticatedUser, type User } from "./user.js";
