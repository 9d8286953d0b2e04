/**
 * The root CA certificate publisher: the ConfigMap `kube-root-ca.crt` in each namespace.
 *
 * @module
 */
export { rootCertificatePublisher } from "./root-certificate-publisher.js";
