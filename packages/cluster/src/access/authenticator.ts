import type { User } from "./user.js";

/** The parts of a client certificate that name a user. */
export interface CertificateSubject {
  readonly commonName: string;
  readonly organizations: readonly string[];
  /** SHA-256 of the certificate, hexadecimal. */
  readonly fingerprint: string;
}

/** The credentials that a client presents. */
export interface Credentials {
  /** The bearer token; undefined without an `Authorization: Bearer` header. */
  readonly bearerToken: string | undefined;
  /** The subject of a client certificate signed by the cluster's CA; undefined without one. */
  readonly certificate: CertificateSubject | undefined;
  /** The audiences that a token must be for. @default those of the API server */
  readonly audiences?: readonly string[];
}

/** Result of an authenticator: a user, no credentials of its kind, or invalid credentials. */
export type Authentication =
  | {
      readonly kind: "user";
      readonly user: User;
      /** The requested audiences that a token is for. @default those of the API server */
      readonly audiences?: readonly string[];
    }
  | { readonly kind: "none" }
  | { readonly kind: "error"; readonly why: string };

/** Authenticates one kind of credentials. */
export interface Authenticator {
  authenticate(credentials: Credentials): Authentication;
}
