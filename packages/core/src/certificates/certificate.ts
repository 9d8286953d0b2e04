import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign,
  X509Certificate,
} from "node:crypto";
import { isIP } from "node:net";
import type { CertificateRequest } from "./certificate-request.js";
import { bitString, integer, objectIdentifier, octetString, sequence, set, tagged, utcTime, utf8, yes } from "./der.js";
import { extendedKeyUsage, keyUsage } from "./key-usages.js";

/** A certificate and its private key, both as PEM. */
export interface CertificatePair {
  readonly certificate: string;
  readonly privateKey: string;
}

/** The subject of a certificate. */
export interface CertificateSubject {
  readonly commonName: string;
  /** Kubernetes uses it as the user's group. */
  readonly organization?: string;
}

const ecdsaWithSha256 = sequence(objectIdentifier("1.2.840.10045.4.3.2"));

/** The last second that UTCTime can express. */
const lastMs = Date.UTC(2049, 11, 31, 23, 59, 59);

/** When a certificate is valid, in milliseconds since 1970, rounded down to seconds. */
export interface CertificateValidity {
  readonly notBeforeMs: number;
  /** Capped at the end of 2049. */
  readonly notAfterMs: number;
}

// Fixed, so that certificates are valid in virtual time too.
const always: CertificateValidity = { notBeforeMs: Date.UTC(2020, 0, 1), notAfterMs: lastMs };

/** Usages and validity of a signed certificate. */
export interface SigningOptions extends CertificateValidity {
  /** Kubernetes' names of key usages, such as `client auth`. */
  readonly usages: readonly string[];
}

/** A self-signed CA that issues serving and client certificates with ECDSA P-256 keys. */
export class CertificateAuthority {
  readonly certificate: string;
  readonly #privateKey: KeyObject;
  readonly #name: Buffer;
  readonly #keyId: Buffer;

  /**
   * Generates a new key, or imports `kept`, an earlier `export` of a CA with the same name. Throws if `kept` does not match. A new CA is valid from 2020
   * to 2049 unless `validity` says otherwise.
   */
  constructor(commonName: string, kept?: CertificatePair, validity: CertificateValidity = always) {
    const keys = kept ? keysOf(commonName, kept) : generateKeyPairSync("ec", { namedCurve: "P-256" });
    this.#privateKey = keys.privateKey;
    this.#name = nameOf({ commonName });
    this.#keyId = keyIdOf(keys.publicKey);
    this.certificate =
      kept?.certificate ??
      this.#issue({
        subject: this.#name,
        publicKey: keys.publicKey,
        validity,
        extensions: [
          extension("2.5.29.19", sequence(yes), true),
          // digitalSignature, keyEncipherment, keyCertSign.
          extension("2.5.29.15", bitString(Buffer.from([0xa4]), 2), true),
        ],
      });
  }

  /** Issues a serving certificate for host names and IP addresses, valid from 2020 to 2049 unless `validity` says otherwise. */
  issueServer(commonName: string, hosts: readonly string[], validity: CertificateValidity = always): CertificatePair {
    const names = sequence(...hosts.map(alternativeName));
    return this.#issueLeaf({ commonName }, "1.3.6.1.5.5.7.3.1", [extension("2.5.29.17", names)], validity);
  }

  /** Issues a client certificate. */
  issueClient(subject: CertificateSubject): CertificatePair {
    return this.#issueLeaf(subject, "1.3.6.1.5.5.7.3.2", []);
  }

  /** The certificate and the private key of the CA. Store them where only this user can read them. */
  export(): CertificatePair {
    return {
      certificate: this.certificate,
      privateKey: this.#privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    };
  }

  /** Signs a CSR and returns the certificate in PEM. Throws if the signature of the CSR does not verify. */
  signRequest(request: CertificateRequest, { usages, ...validity }: SigningOptions): string {
    if (!request.isSigned) throw new Error("unable to verify certificate request signature");
    const keyUsages = keyUsage(usages);
    const extendedKeyUsages = extendedKeyUsage(usages);
    const extensions = [
      extension("2.5.29.19", sequence(), true),
      ...(keyUsages === undefined ? [] : [extension("2.5.29.15", keyUsages, true)]),
      ...(extendedKeyUsages === undefined ? [] : [extension("2.5.29.37", extendedKeyUsages)]),
      ...(request.alternativeNames === undefined ? [] : [extension("2.5.29.17", request.alternativeNames)]),
    ];
    const { subject, publicKey } = request;
    return this.#issue({ subject, publicKey, extensions, validity });
  }

  #issueLeaf(
    subject: CertificateSubject,
    usage: string,
    more: readonly Buffer[],
    validity: CertificateValidity = always,
  ): CertificatePair {
    const keys = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const extensions = [
      extension("2.5.29.19", sequence(), true),
      extension("2.5.29.15", bitString(Buffer.from([0x80]), 7), true),
      extension("2.5.29.37", sequence(objectIdentifier(usage))),
      ...more,
    ];
    const certificate = this.#issue({ subject: nameOf(subject), publicKey: keys.publicKey, extensions, validity });
    return { certificate, privateKey: keys.privateKey.export({ type: "pkcs8", format: "pem" }).toString() };
  }

  #issue({ subject, publicKey, extensions, validity }: CertificateContent): string {
    const serial = randomBytes(16);
    const body = sequence(
      tagged(0, true, integer(Buffer.from([2]))),
      integer(Buffer.concat([Buffer.from([1]), serial])),
      ecdsaWithSha256,
      this.#name,
      sequence(utcTime(formatUtcTime(validity.notBeforeMs)), utcTime(formatUtcTime(validity.notAfterMs))),
      subject,
      publicKey.export({ type: "spki", format: "der" }),
      tagged(
        3,
        true,
        sequence(
          ...extensions,
          extension("2.5.29.14", octetString(keyIdOf(publicKey))),
          extension("2.5.29.35", sequence(tagged(0, false, this.#keyId))),
        ),
      ),
    );
    const signature = sign("sha256", body, this.#privateKey);
    return toPem(sequence(body, ecdsaWithSha256, bitString(signature)));
  }
}

/** The variable fields of a certificate. */
interface CertificateContent {
  readonly subject: Buffer;
  readonly publicKey: KeyObject;
  readonly extensions: readonly Buffer[];
  readonly validity: CertificateValidity;
}

function keysOf(commonName: string, { certificate, privateKey }: CertificatePair) {
  const keys = { privateKey: createPrivateKey(privateKey), publicKey: createPublicKey(privateKey) };
  const kept = new X509Certificate(certificate);
  if (kept.subject !== `CN=${commonName}` || !kept.checkPrivateKey(keys.privateKey))
    throw new Error(`Cannot import CA "${commonName}": the certificate has another subject or another key`);
  return keys;
}

/** `YYMMDDhhmmssZ`. */
function formatUtcTime(ms: number): string {
  return `${new Date(Math.min(ms, lastMs)).toISOString().replace(/[-:T]/g, "").slice(2, 14)}Z`;
}

function nameOf({ commonName, organization }: CertificateSubject): Buffer {
  const parts: Buffer[] = [];
  if (organization !== undefined) parts.push(set(sequence(objectIdentifier("2.5.4.10"), utf8(organization))));
  parts.push(set(sequence(objectIdentifier("2.5.4.3"), utf8(commonName))));
  return sequence(...parts);
}

function extension(identifier: string, value: Buffer, isCritical = false): Buffer {
  return sequence(objectIdentifier(identifier), ...(isCritical ? [yes] : []), octetString(value));
}

function keyIdOf(publicKey: KeyObject): Buffer {
  return createHash("sha1")
    .update(publicKey.export({ type: "spki", format: "der" }))
    .digest();
}

function alternativeName(host: string): Buffer {
  const family = isIP(host);
  if (family === 0) return tagged(2, false, Buffer.from(host, "latin1"));
  return tagged(7, false, family === 4 ? Buffer.from(host.split(".").map(Number)) : ipv6Bytes(host));
}

function ipv6Bytes(address: string): Buffer {
  const [head = "", tail] = address.split("::");
  const left = head === "" ? [] : head.split(":");
  const right = tail === undefined || tail === "" ? [] : tail.split(":");
  const middle = new Array<string>(tail === undefined ? 0 : 8 - left.length - right.length).fill("0");
  const bytes = Buffer.alloc(16);
  for (const [index, group] of [...left, ...middle, ...right].entries())
    bytes.writeUInt16BE(Number.parseInt(group, 16), index * 2);
  return bytes;
}

function toPem(bytes: Buffer): string {
  const lines = bytes.toString("base64").match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join("\n")}\n-----END CERTIFICATE-----\n`;
}
