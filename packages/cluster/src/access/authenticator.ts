import type { User } from "./user.js";

/** The parts of a client certificate that name a user. */
export interface CertificateSubject {
  readonly commonName: string;
  readonly organizations: readonly string[];
  /** SHA-256 of the certificate, hexadecimal. */
  readonly fingerprint: string;
}

/** What a client presents. */
export interface Credentials {
  /** The bearer token; undefined without an `Authorization: Bearer` header. */
  readonly bearerToken: string | undefined;
  /** The subject of a client certificate that the cluster's own authority signed; undefined without one. */
  readonly certificate: CertificateSubject | undefined;
}

/** What an authenticator found: a user, nothing that it knows about, or credentials that are wrong. */
export type Authentication =
  | { readonly kind: "user"; readonly user: User }
  | { readonly kind: "none" }
  | { readonly kind: "error"; readonly why: string };

/** Recognises one sort of credentials. A new method of authentication is a new implementation. */
export interface Authenticator {
  authenticate(credentials: Credentials): Authentication;
}
