import { CertificateManager } from "./certificate-manager.js";
import type { ManageCertificatesOptions } from "./certificate-options.js";
import type { ManagedCertificates } from "./managed-certificates.js";

/**
 * Keeps a CA and a serving certificate in a Secret, publishes the CA in the caBundle of webhook configurations and CRDs, and replaces both before they
 * expire.
 *
 * Every replica calls it; there is no leader. An API server can verify what any replica serves at any time, also during a rotation, after a crash and with
 * clocks that differ by up to `clockSkew`: see `nextStep`. Invalid and missing Secrets are replaced, a caBundle that another client overwrote is repaired.
 * Failed requests are logged and retried until `signal` aborts. Throws CONFIG_INVALID for options that contradict each other.
 *
 * @example
 * const certificates = manageCertificates({ client, name: "foo", namespace, secretName: "foo-webhooks", serviceName: "foo", validating: ["foo"], signal });
 * await certificates.ready;
 */
export function manageCertificates(options: ManageCertificatesOptions): ManagedCertificates {
  return new CertificateManager(options).start();
}
