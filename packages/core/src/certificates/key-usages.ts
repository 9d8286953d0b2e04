import { bitString, objectIdentifier, sequence } from "./der.js";

/** Bits of the key usage extension, by Kubernetes' names. */
const bits: Readonly<Record<string, number>> = {
  signing: 0,
  "digital signature": 0,
  "content commitment": 1,
  "key encipherment": 2,
  "data encipherment": 3,
  "key agreement": 4,
  "cert sign": 5,
  "crl sign": 6,
  "encipher only": 7,
  "decipher only": 8,
};

const purposes: Readonly<Record<string, string>> = {
  any: "2.5.29.37.0",
  "server auth": "1.3.6.1.5.5.7.3.1",
  "client auth": "1.3.6.1.5.5.7.3.2",
  "code signing": "1.3.6.1.5.5.7.3.3",
  "email protection": "1.3.6.1.5.5.7.3.4",
  "s/mime": "1.3.6.1.5.5.7.3.4",
  "ipsec end system": "1.3.6.1.5.5.7.3.5",
  "ipsec tunnel": "1.3.6.1.5.5.7.3.6",
  "ipsec user": "1.3.6.1.5.5.7.3.7",
  timestamping: "1.3.6.1.5.5.7.3.8",
  "ocsp signing": "1.3.6.1.5.5.7.3.9",
  "microsoft sgc": "1.3.6.1.4.1.311.10.3.3",
  "netscape sgc": "2.16.840.1.113730.4.1",
};

/** The value of the key usage extension; undefined if no usage belongs to it. */
export function keyUsage(usages: readonly string[]): Buffer | undefined {
  const set = usages.flatMap((usage) => (Object.hasOwn(bits, usage) ? [bits[usage] ?? 0] : []));
  if (set.length === 0) return undefined;
  const last = Math.max(...set);
  const bytes = Buffer.alloc(Math.floor(last / 8) + 1);
  for (const bit of set) bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) | (0x80 >> (bit & 7));
  return bitString(bytes, 7 - (last & 7));
}

/** The value of the extended key usage extension; undefined if no usage belongs to it. */
export function extendedKeyUsage(usages: readonly string[]): Buffer | undefined {
  const named = new Set(usages.flatMap((usage) => (Object.hasOwn(purposes, usage) ? [purposes[usage] ?? ""] : [])));
  return named.size === 0 ? undefined : sequence(...[...named].sort().map(objectIdentifier));
}
