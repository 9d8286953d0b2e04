/** What one request authenticates with. Immutable: a renewed credential is a new object. */
export interface Credential {
  /** The value of the `authorization` header. */
  readonly authorization?: string;
  /** PEM, for the TLS handshake. */
  readonly clientCertificate?: { readonly certificate: string; readonly key: string };
}

/**
 * Where credentials come from.
 *
 * `current` returns synchronously unless it must read a file or run a plugin, so that ordinary requests do not wait. `renew` is called after the
 * server rejected a credential. It resolves to whether a different one is available, and runs at most once per rejected credential.
 */
export interface CredentialSource {
  current(): Credential | Promise<Credential>;
  renew(rejected: Credential): Promise<boolean>;
}

/** A source whose credential never changes. */
export function fixedCredential(credential: Credential): CredentialSource {
  return { current: () => credential, renew: async () => false };
}
