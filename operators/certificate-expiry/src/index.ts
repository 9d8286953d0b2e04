/**
 * The certificate-expiry operator: watches TLS servers outside of the cluster, and reports when their certificates expire.
 *
 * @module
 */
import { type Operator, operator } from "kubewright";
import { type Probe, probeCertificate } from "./probe.js";
import { tlsEndpointController } from "./tls-endpoint-controller.js";

export type { Endpoint, Finding, Probe } from "./probe.js";
export { TlsEndpoint } from "./tls-endpoint.js";
export { probeCertificate };

/** The operator with a probe of one's own: tests pass one that opens no socket. */
export function certificateExpiryOperatorWith(probe: Probe): Operator {
  return operator({ name: "certificate-expiry-operator", controllers: [tlsEndpointController(probe)] });
}

/** The operator. Importing it starts nothing. */
export const certificateExpiryOperator = certificateExpiryOperatorWith(probeCertificate);
