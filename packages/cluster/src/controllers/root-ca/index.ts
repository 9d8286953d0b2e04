/**
 * The certificate by which pods know the API server.
 *
 * @module
 */
export { rootCertificatePublisher } from "./root-certificate-publisher.js";
