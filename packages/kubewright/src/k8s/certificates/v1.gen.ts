// Written by tools/api-data from Kubernetes v1.36.4. Do not edit.
import { defineKind, type Kind, type ReadMeta } from "../../definition/index.js";

/** An object of kind CertificateSigningRequest in certificates.k8s.io/v1. */
export interface CertificateSigningRequest {
  apiVersion: "certificates.k8s.io/v1";
  kind: "CertificateSigningRequest";
  metadata: ReadMeta;
  spec: CertificateSigningRequestSpec;
  status?: CertificateSigningRequestStatus;
}
interface CertificateSigningRequestTypes { read: CertificateSigningRequest; write: { spec: CertificateSigningRequestSpec; }; status: CertificateSigningRequestStatus; conditions: never }
/** The kind CertificateSigningRequest in certificates.k8s.io/v1. */
export const CertificateSigningRequest: Kind<"certificates.k8s.io/v1/CertificateSigningRequest", "Cluster", CertificateSigningRequestTypes> = /* @__PURE__ */ defineKind({ group: "certificates.k8s.io", version: "v1", kind: "CertificateSigningRequest", plural: "certificatesigningrequests", scope: "Cluster" });

export interface CertificateSigningRequestCondition {
  lastTransitionTime?: string | undefined;
  lastUpdateTime?: string | undefined;
  message?: string | undefined;
  reason?: string | undefined;
  status: string;
  type: string;
}

export interface CertificateSigningRequestSpec {
  expirationSeconds?: number | undefined;
  extra?: Record<string, string[]> | undefined;
  groups?: string[] | undefined;
  request: string;
  signerName: string;
  uid?: string | undefined;
  usages?: ("any" | "cert sign" | "client auth" | "code signing" | "content commitment" | "crl sign" | "data encipherment" | "decipher only" | "digital signature" | "email protection" | "encipher only" | "ipsec end system" | "ipsec tunnel" | "ipsec user" | "key agreement" | "key encipherment" | "microsoft sgc" | "netscape sgc" | "ocsp signing" | "s/mime" | "server auth" | "signing" | "timestamping")[] | undefined;
  username?: string | undefined;
}

export interface CertificateSigningRequestStatus {
  certificate?: string | undefined;
  conditions?: CertificateSigningRequestCondition[] | undefined;
}
