/** A CA that API servers trust. Its private key does not exist any more: it signed one certificate. */
export interface TrustedAuthority {
  /** The SHA-256 fingerprint. */
  readonly id: string;
  /** In PEM. */
  readonly certificate: string;
  readonly notAfterMs: number;
}

/** A serving certificate with its private key, and the CA that signed it. */
export interface IssuedCertificate {
  /** In PEM. */
  readonly certificate: string;
  /** In PEM. */
  readonly privateKey: string;
  /** The `id` of its CA. */
  readonly authority: string;
  /** DNS names and IP addresses. */
  readonly names: readonly string[];
  readonly notAfterMs: number;
}

/**
 * The content of the Secret: the only state that replicas share.
 *
 * Invariants: the CAs of `current` and `next` are in `authorities`; the CA of `current` was in every caBundle before it became current.
 */
export interface CertificateState {
  /** What every replica serves. */
  readonly current?: IssuedCertificate;
  /** Becomes current when its CA is in every caBundle. */
  readonly next?: IssuedCertificate;
  /** The caBundle, oldest first. */
  readonly authorities: readonly TrustedAuthority[];
}

/** The state with other authorities. A certificate whose CA is not among them is removed. */
export function withAuthorities(
  { current, next }: CertificateState,
  authorities: readonly TrustedAuthority[],
): CertificateState {
  const isTrusted = ({ authority }: IssuedCertificate): boolean => authorities.some(({ id }) => id === authority);
  return {
    authorities,
    ...(current !== undefined && isTrusted(current) && { current }),
    ...(next !== undefined && isTrusted(next) && { next }),
  };
}

/** The caBundle of these CAs, in PEM. */
export function formatBundle(authorities: readonly TrustedAuthority[]): string {
  return authorities.map(({ certificate }) => certificate).join("");
}
