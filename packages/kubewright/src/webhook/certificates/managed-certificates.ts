import type { CertificateSource, ServingCertificate } from "../serving-certificate.js";

/** The certificate that a webhook server serves, and replaces while it runs: the `certificate` of `serveWebhooks`. */
export interface ManagedCertificates extends CertificateSource {
  /**
   * Resolves once there is a valid certificate whose CA is in the caBundle of every webhook configuration and CRD that exists. Rejects with
   * CONFIG_INVALID if the Secret belongs to cert-manager, and with the signal's reason.
   */
  readonly ready: Promise<void>;
  /** Resolves when it has stopped, after its signal aborted. Never rejects. */
  readonly stopped: Promise<void>;
  /** The certificate to serve now; undefined before there is one. */
  readonly certificate: ServingCertificate | undefined;
  /** When that certificate expires, in milliseconds since 1970. */
  readonly expiresMs: number | undefined;
  /** Whether nothing is in progress: it waits for a change, for the time of the next rotation or of a retry. */
  readonly idle: boolean;
  /** The certificate to serve, once `ready` has resolved. Rejects as `ready` does. */
  load(): Promise<ServingCertificate>;
  /** Calls `onChange` when there is another certificate, until it is disposed. */
  watch(onChange: () => void): Disposable;
}
