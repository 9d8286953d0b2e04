import type { CertificateSource, ServingCertificate } from "../serving-certificate.js";
import type { ManageCertificatesOptions } from "./certificate-options.js";

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

/**
 * Keeps a CA and a serving certificate in a Secret, publishes the CA in the caBundle of webhook configurations and CRDs, and replaces both before they
 * expire.
 *
 * Every replica calls it; there is no leader. An API server can verify what any replica serves at any time, also during a rotation, after a crash and with
 * clocks that differ by up to `clockSkew`: see `nextStep`. Invalid and missing Secrets are replaced, a caBundle that another client overwrote is repaired.
 * Failed requests are logged and retried until `signal` aborts. Rejects with CONFIG_INVALID for options that contradict each other.
 *
 * @example
 * const certificates = await manageCertificates({ client, name: "foo", namespace, secretName: "foo-webhooks", serviceName: "foo", validating: ["foo"], signal });
 * await certificates.ready;
 */
export async function manageCertificates(options: ManageCertificatesOptions): Promise<ManagedCertificates> {
  // Loaded on first use: an operator without webhooks does not need it.
  const { CertificateManager } = await import("./certificate-manager.js");
  return new CertificateManager(options).start();
}
