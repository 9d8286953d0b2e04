import { CertificateAuthority } from "@kubewright/core/certificates";
import type { IssuedCertificate, TrustedAuthority } from "./certificate-state.js";
import { readAuthority, readCertificate } from "./read-certificate.js";

/** What a new certificate contains. */
export interface IssueRequest {
  /** The common name of the certificate, and with the suffix `-ca` of its CA. */
  readonly commonName: string;
  readonly names: readonly string[];
  readonly notBeforeMs: number;
  readonly notAfterMs: number;
}

/** A certificate with its CA. */
export interface Issued {
  readonly certificate: IssuedCertificate;
  readonly authority: TrustedAuthority;
}

/** The common name of the CAs of a certificate. */
export function authorityName(commonName: string): string {
  return `${commonName}-ca`;
}

/**
 * Issues a serving certificate with ECDSA P-256 keys by a new CA, which expires with it.
 *
 * The private key of the CA is forgotten: each rotation is one of the CA too, so that there is one procedure for both, and no key that can sign more.
 */
export function issueCertificate({ commonName, names, ...validity }: IssueRequest): Issued {
  const signer = new CertificateAuthority(authorityName(commonName), undefined, validity);
  const { certificate, privateKey } = signer.issueServer(commonName, names, validity);
  const authority = readAuthority(signer.certificate);
  return { certificate: readCertificate(certificate, privateKey, [authority]), authority };
}
