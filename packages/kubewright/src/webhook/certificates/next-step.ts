import {
  type CertificateState,
  formatBundle,
  type IssuedCertificate,
  type TrustedAuthority,
  withAuthorities,
} from "./certificate-state.js";

/** A webhook configuration or CRD whose caBundles are published, as it was read. */
export interface ObservedTarget {
  /** Its kind and name. */
  readonly id: string;
  /** Its caBundles in PEM, one for each webhook; "" where there is none. */
  readonly bundles: readonly string[];
  /** The CAs in the bundles that an earlier Secret of this operator contained. */
  readonly authorities: readonly TrustedAuthority[];
}

/** The Secret as it was read. */
export interface StoredState {
  readonly state: CertificateState;
  /** What is invalid in the Secret and not part of `state`. */
  readonly problems: readonly string[];
}

/** What one replica knows when it decides. */
export interface Observation<T extends ObservedTarget = ObservedTarget> {
  /** Undefined if there is no Secret. Read after `targets`. */
  readonly stored: StoredState | undefined;
  /** Those that exist. */
  readonly targets: readonly T[];
  readonly nowMs: number;
  /** For how long this replica has observed that every caBundle contains the CA of `next`; 0 if that is new. */
  readonly publishedForMs: number;
}

/** When certificates are replaced. */
export interface RotationPolicy {
  /** DNS names and IP addresses that the certificate must contain. */
  readonly names: readonly string[];
  /** A certificate is replaced so long before it expires. */
  readonly renewBeforeMs: number;
  /** By how much clocks of replicas and API servers may differ. */
  readonly clockSkewMs: number;
  /** How long API servers may take to observe a change of a caBundle. */
  readonly propagationMs: number;
}

/** What a replica does next. */
export type Step<T extends ObservedTarget = ObservedTarget> =
  /** Store an empty state: from then on every write has a version as its precondition. */
  | { readonly kind: "create"; readonly state: CertificateState }
  /** Issue a certificate with a new CA, and store it as `next` of `state`. */
  | {
      readonly kind: "issue";
      readonly state: CertificateState;
      readonly names: readonly string[];
      readonly why: string;
    }
  /** Write the caBundle into these targets. */
  | { readonly kind: "publish"; readonly targets: readonly T[]; readonly bundle: string }
  /** Store this state: `next` became current. */
  | { readonly kind: "promote"; readonly state: CertificateState }
  /** Store this state: expired CAs were removed. */
  | { readonly kind: "prune"; readonly state: CertificateState }
  | { readonly kind: "wait"; readonly forMs: number };

/**
 * The next step of a rotation, as a pure function of what a replica observed.
 *
 * Every replica calls it, and executes the step with preconditions on what it read. Guarantees, for any interleaving of replicas that crash at any point,
 * and while clocks differ by at most `clockSkewMs`: a certificate becomes current only when its CA has been in every caBundle for `propagationMs`;
 * a CA leaves the bundles only after its certificate has expired. An API server can verify what any replica serves at any time.
 */
export function nextStep<T extends ObservedTarget>(seen: Observation<T>, policy: RotationPolicy): Step<T> {
  const { stored, targets, nowMs, publishedForMs } = seen;
  const isNeeded = ({ notAfterMs }: TrustedAuthority): boolean => nowMs <= notAfterMs + policy.clockSkewMs;
  // Not with a certificate: "there is no Secret" also holds after one was created, used and deleted since it was read.
  if (stored === undefined) return { kind: "create", state: { authorities: [] } };
  if (isLost(stored)) {
    // Replicas may still serve a certificate that the Secret has lost: API servers must continue to trust its CA.
    const found = [...stored.state.authorities, ...targets.flatMap(({ authorities }) => authorities)];
    const known = [...new Map(found.map((authority) => [authority.id, authority])).values()].filter(isNeeded);
    const state = withAuthorities(stored.state, known);
    const { problems } = stored;
    const why = problems.length === 0 ? "there is no certificate" : `the Secret is invalid: ${problems.join("; ")}`;
    return { kind: "issue", state, names: policy.names, why };
  }
  const { current, next, authorities } = stored.state;
  const needed = authorities.filter(isNeeded);
  const due = whyRenew(next ?? current, nowMs, policy);
  if (due !== undefined)
    return { kind: "issue", state: withAuthorities(stored.state, needed), names: due.names, why: due.why };
  const bundle = formatBundle(authorities);
  const behind = targets.filter(({ bundles }) => bundles.some((published) => published !== bundle));
  if (behind.length > 0) return { kind: "publish", targets: behind, bundle };
  if (next !== undefined) {
    // Without another CA no replica serves a certificate yet that a late API server could still expect.
    const leftMs = authorities.length === 1 ? 0 : policy.propagationMs - publishedForMs;
    if (leftMs > 0) return { kind: "wait", forMs: leftMs };
    return { kind: "promote", state: { current: next, authorities } };
  }
  if (needed.length < authorities.length) return { kind: "prune", state: withAuthorities(stored.state, needed) };
  const untilMs = Math.min(
    renewalMs(current, policy),
    ...authorities.map(({ notAfterMs }) => notAfterMs + policy.clockSkewMs + 1),
  );
  return { kind: "wait", forMs: untilMs - nowMs };
}

/** Whether the Secret does not name every CA that replicas may need: it is new or invalid. The CAs of the targets count then, read after the Secret. */
export function isLost({ state, problems }: StoredState): boolean {
  return problems.length > 0 || state.authorities.length === 0;
}

/** Whether the caBundles of every target are those of the state. */
export function isPublished(state: CertificateState, targets: readonly ObservedTarget[]): boolean {
  const bundle = formatBundle(state.authorities);
  return targets.every(({ bundles }) => bundles.every((published) => published === bundle));
}

/** Why the newest certificate must be replaced, and for which names. */
function whyRenew(
  newest: IssuedCertificate | undefined,
  nowMs: number,
  policy: RotationPolicy,
): { readonly why: string; readonly names: readonly string[] } | undefined {
  if (newest === undefined) return { why: "there is no certificate", names: policy.names };
  if (nowMs > newest.notAfterMs) return { why: "the certificate has expired", names: policy.names };
  if (nowMs >= renewalMs(newest, policy)) return { why: "the certificate expires soon", names: policy.names };
  const missing = policy.names.filter((name) => !newest.names.includes(name));
  if (missing.length === 0) return undefined;
  // With the names of both: during a rolling update replicas with other names would otherwise replace each other's certificates.
  return { why: `the certificate is not valid for ${missing.join(", ")}`, names: [...newest.names, ...missing] };
}

function renewalMs(certificate: IssuedCertificate | undefined, { renewBeforeMs }: RotationPolicy): number {
  return certificate === undefined ? 0 : certificate.notAfterMs - renewBeforeMs;
}
