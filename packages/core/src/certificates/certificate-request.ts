import { createPublicKey, type KeyObject, verify } from "node:crypto";
import { type DerValue, derGroup, derValues, dottedIdentifier } from "./der-reader.js";

/** A parsed certificate signing request (PKCS #10). */
export interface CertificateRequest {
  readonly commonName: string;
  readonly organizations: readonly string[];
  readonly dnsNames: readonly string[];
  readonly emailAddresses: readonly string[];
  readonly uris: readonly string[];
  /** Number of IP addresses in the subject alternative names. */
  readonly ipAddressCount: number;
  readonly publicKey: KeyObject;
  /** The subject in DER. */
  readonly subject: Buffer;
  /** The subject alternative names in DER; undefined if there are none. */
  readonly alternativeNames: Buffer | undefined;
  /** Whether the signature verifies with `publicKey`. */
  readonly isSigned: boolean;
}

/** The hash of each signature algorithm, by OID; null for Ed25519, which needs none. */
const hashes: ReadonlyMap<string, string | null> = new Map([
  ["1.2.840.10045.4.3.2", "sha256"],
  ["1.2.840.10045.4.3.3", "sha384"],
  ["1.2.840.10045.4.3.4", "sha512"],
  ["1.2.840.113549.1.1.11", "sha256"],
  ["1.2.840.113549.1.1.12", "sha384"],
  ["1.2.840.113549.1.1.13", "sha512"],
  ["1.3.101.112", null],
]);

const [sequence, set, attributes] = [0x30, 0x31, 0xa0];
const extensionRequest = "1.2.840.113549.1.9.14";
const subjectAltName = "2.5.29.17";

/** Parses a CSR in PEM. Throws an error with only the reason as its message. */
export function parseCertificateRequest(pem: string): CertificateRequest {
  const body = /-----BEGIN CERTIFICATE REQUEST-----([\s\S]+?)-----END CERTIFICATE REQUEST-----/.exec(pem)?.[1];
  if (body === undefined) throw new Error("PEM block type must be CERTIFICATE REQUEST");
  const [whole] = derValues(Buffer.from(body, "base64"));
  const [info, algorithm, signature] = derGroup(whole, sequence);
  const [, subject, key, asked] = derGroup(info, sequence);
  if (info === undefined || subject === undefined || key === undefined || signature === undefined)
    throw new Error("asn1: syntax error: data truncated");
  const publicKey = createPublicKey({ key: key.whole, format: "der", type: "spki" });
  const alternativeNames = asked && alternativeNamesOf(asked);
  const names = alternativeNames === undefined ? [] : derGroup(derValues(alternativeNames)[0], sequence);
  const stringsOf = (tag: number): string[] =>
    names.filter((name) => name.tag === tag).map(({ content }) => content.toString("latin1"));
  return {
    commonName: stringsIn(subject, "2.5.4.3").at(-1) ?? "",
    organizations: stringsIn(subject, "2.5.4.10"),
    emailAddresses: stringsOf(0x81),
    dnsNames: stringsOf(0x82),
    uris: stringsOf(0x86),
    ipAddressCount: stringsOf(0x87).length,
    publicKey,
    subject: subject.whole,
    alternativeNames: names.length === 0 ? undefined : alternativeNames,
    isSigned: isSigned(info, algorithm, signature, publicKey),
  };
}

/** The strings of a distinguished name under an OID. */
function stringsIn(name: DerValue, identifier: string): string[] {
  return derGroup(name, sequence).flatMap((part) =>
    derGroup(part, set).flatMap((pair) => {
      const [id, text] = derGroup(pair, sequence);
      return id && text && dottedIdentifier(id) === identifier ? [text.content.toString("utf8")] : [];
    }),
  );
}

function alternativeNamesOf(asked: DerValue): Buffer | undefined {
  for (const attribute of derGroup(asked, attributes)) {
    const [id, values] = derGroup(attribute, sequence);
    if (!id || dottedIdentifier(id) !== extensionRequest) continue;
    for (const extension of derGroup(derGroup(values, set)[0], sequence)) {
      const parts = derGroup(extension, sequence);
      if (parts[0] && dottedIdentifier(parts[0]) === subjectAltName) return parts.at(-1)?.content;
    }
  }
  return undefined;
}

function isSigned(info: DerValue, algorithm: DerValue | undefined, signature: DerValue, key: KeyObject): boolean {
  const [id] = derGroup(algorithm, sequence);
  const hash = id && hashes.get(dottedIdentifier(id));
  // The first byte is the number of unused bits, which must be 0.
  if (hash === undefined || signature.tag !== 0x03 || signature.content[0] !== 0) return false;
  return verify(hash, info.whole, key, signature.content.subarray(1));
}
