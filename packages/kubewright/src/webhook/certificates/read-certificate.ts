import { createPrivateKey, X509Certificate } from "node:crypto";
import { isIPv6 } from "node:net";
import type { IssuedCertificate, TrustedAuthority } from "./certificate-state.js";

/** Reads a CA certificate in PEM. Throws if it is none. */
export function readAuthority(pem: string): TrustedAuthority {
  const certificate = new X509Certificate(pem);
  if (!certificate.ca) throw new Error("it is not a CA certificate");
  return {
    id: certificate.fingerprint256,
    certificate: certificate.toString(),
    notAfterMs: Date.parse(certificate.validTo),
  };
}

/** The CA certificates of a bundle in PEM, and how many of its certificates are invalid. */
export function readBundle(pem: string): { readonly authorities: TrustedAuthority[]; readonly invalid: number } {
  const authorities: TrustedAuthority[] = [];
  let invalid = 0;
  for (const [block] of pem.matchAll(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----\n?/g)) {
    try {
      authorities.push(readAuthority(block));
    } catch {
      invalid += 1;
    }
  }
  return { authorities, invalid };
}

/** The CAs of a bundle with this common name. */
export function readAuthoritiesNamed(commonName: string, pem: string): TrustedAuthority[] {
  const subject = `CN=${commonName}`;
  return readBundle(pem).authorities.filter(({ certificate }) => new X509Certificate(certificate).subject === subject);
}

/** Reads a serving certificate in PEM. Throws if it is invalid, the key is not its key, or none of the authorities signed it. */
export function readCertificate(
  certificate: string,
  privateKey: string,
  authorities: readonly TrustedAuthority[],
): IssuedCertificate {
  const leaf = new X509Certificate(certificate);
  if (!leaf.checkPrivateKey(createPrivateKey(privateKey))) throw new Error("the key is not the key of the certificate");
  const authority = authorities.find((one) => isSignedBy(leaf, new X509Certificate(one.certificate)));
  if (authority === undefined) throw new Error("no CA of ca.crt signed the certificate");
  return {
    certificate,
    privateKey,
    authority: authority.id,
    names: namesOf(leaf),
    notAfterMs: Date.parse(leaf.validTo),
  };
}

function isSignedBy(leaf: X509Certificate, authority: X509Certificate): boolean {
  return leaf.checkIssued(authority) && leaf.verify(authority.publicKey);
}

/** The DNS names and IP addresses of a certificate. */
function namesOf({ subjectAltName = "" }: X509Certificate): string[] {
  return subjectAltName.split(", ").flatMap((entry) => {
    const [, name] = /^(?:DNS|IP Address):(.+)$/.exec(entry) ?? [];
    return name === undefined ? [] : [canonicalName(name)];
  });
}

/** A DNS name in lower case, or an IP address in its shortest form, so that names can be compared. */
export function canonicalName(name: string): string {
  return isIPv6(name) ? new URL(`http://[${name}]`).hostname.slice(1, -1) : name.toLowerCase();
}
