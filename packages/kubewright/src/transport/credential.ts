/** What one request proves who it is with. Never changed: another credential is another object. */
export interface Credential {
  /** The value of the `authorization` header. */
  readonly authorization?: string;
  /** PEM, for the TLS handshake. */
  readonly clientCertificate?: { readonly certificate: string; readonly key: string };
}

/**
 * Where credentials come from.
 *
 * `current` answers without a promise while nothing has to be read or run, so that ordinary requests do not wait. `renew` is called when
 * a server refused a credential: it resolves to whether there is another one now, and never runs twice for the same refused one.
 */
export interface CredentialSource {
  current(): Credential | Promise<Credential>;
  renew(refused: Credential): Promise<boolean>;
}

/** A credential that stays what it is. */
export function fixedCredential(credential: Credential): CredentialSource {
  return { current: () => credential, renew: async () => false };
}
