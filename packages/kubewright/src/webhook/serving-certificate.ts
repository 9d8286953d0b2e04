import { type FSWatcher, watch } from "node:fs";
import { readCertificatePair } from "../serving/index.js";

/** A certificate and its private key in PEM. */
export interface ServingCertificate {
  readonly certificate: string;
  readonly privateKey: string;
}

/** Reads `tls.crt` and `tls.key` of a directory, such as a mounted Secret. Rejects with CONFIG_INVALID when they are missing or invalid. */
export async function readCertificate(folder: string): Promise<ServingCertificate> {
  const { cert, key } = await readCertificatePair(folder);
  return { certificate: cert, privateKey: key };
}

/** Calls `onChange` when the directory changes, for example when a mounted Secret is rotated. The caller closes the watcher. */
export function watchCertificate(folder: string, onChange: () => void): FSWatcher {
  return watch(folder, { persistent: false }, () => onChange());
}
