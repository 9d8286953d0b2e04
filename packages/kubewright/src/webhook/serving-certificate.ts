import { type FSWatcher, watch } from "node:fs";
import { readCertificatePair } from "../serving/index.js";

/** A certificate with its key, both PEM. */
export interface ServingCertificate {
  readonly certificate: string;
  readonly privateKey: string;
}

/** Reads `tls.crt` and `tls.key` of a directory, such as a mounted Secret. Rejects with CONFIG_INVALID when they cannot be used. */
export async function readCertificate(folder: string): Promise<ServingCertificate> {
  const { cert, key } = await readCertificatePair(folder);
  return { certificate: cert, privateKey: key };
}

/** Calls back when the directory changes, as when a mounted Secret is rotated. Close the result. */
export function watchCertificate(folder: string, onChange: () => void): FSWatcher {
  return watch(folder, { persistent: false }, () => onChange());
}
