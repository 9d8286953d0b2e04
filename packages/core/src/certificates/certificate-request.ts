import { createPublicKey, type KeyObject, verify } from "node:crypto";
import { type DerValue, derGroup, derValues, dottedIdentifier } from "./der-reader.js";

/** What somebody wants a certificate for, and the key that it is for. */
export interface CertificateRequest {
  readonly commonName: string;
  readonly organizations: readonly string[];
  readonly dnsNames: readonly string[];
  readonly emailAddresses: readonly string[];
  readonly uris: readonly string[];
  /** How many addresses it names. */
  readonly ipAddressCount: number;
  readonly publicKey: KeyObject;
  /** The subject in DER. */
  readonly subject: Buffer;
  /** The alternative names in DER; undefined where there are none. */
  readonly alternativeNames: Buffer | undefined;
  /** Whether the holder of the key signed it. */
  readonly isSigned: boolean;
}

/** How signatures are made, by identifier; the hash of one that has none of its own is null. */
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

/** Reads a request in PEM (PKCS #10). Throws on what is none, with the reason alone. */
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
  const textsOf = (tag: number): string[] =>
    names.filter((name) => name.tag === tag).map(({ content }) => content.toString("latin1"));
  return {
    commonName: textsIn(subject, "2.5.4.3").at(-1) ?? "",
    organizations: textsIn(subject, "2.5.4.10"),
    emailAddresses: textsOf(0x81),
    dnsNames: textsOf(0x82),
    uris: textsOf(0x86),
    ipAddressCount: textsOf(0x87).length,
    publicKey,
    subject: subject.whole,
    alternativeNames: names.length === 0 ? undefined : alternativeNames,
    isSigned: isSigned(info, algorithm, signature, publicKey),
  };
}

/** Texts of a name under an identifier. */
function textsIn(name: DerValue, identifier: string): string[] {
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
  // The first byte tells how many bits of the last one are unused: none.
  if (hash === undefined || signature.tag !== 0x03 || signature.content[0] !== 0) return false;
  return verify(hash, info.whole, key, signature.content.subarray(1));
}
