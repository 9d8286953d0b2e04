import { watch } from "node:fs";
import { readCertificatePair } from "../serving/index.js";

/** A certificate and its private key in PEM. */
export interface ServingCertificate {
  readonly certificate: string;
  readonly privateKey: string;
}

/** Where a server gets its certificate, and each one that replaces it while the server runs. */
export interface CertificateSource {
  /** The certificate to serve now. Rejects when there is none: a running server then keeps the one that it has. */
  load(): Promise<ServingCertificate>;
  /** Calls `onChange` when `load` may return another certificate, until it is disposed. */
  watch(onChange: () => void): Disposable;
}

/** `tls.crt` and `tls.key` of a directory, such as a mounted Secret. `load` rejects with CONFIG_INVALID when they are missing or do not match. */
export function certificateFiles(folder: string): CertificateSource {
  return {
    load: async () => {
      const { cert, key } = await readCertificatePair(folder);
      return { certificate: cert, privateKey: key };
    },
    watch: (onChange) => {
      const watcher = watch(folder, { persistent: false }, () => onChange());
      return { [Symbol.dispose]: () => watcher.close() };
    },
  };
}

/** A certificate that does not change. */
export function fixedCertificate(certificate: ServingCertificate): CertificateSource {
  return { load: () => Promise.resolve(certificate), watch: () => ({ [Symbol.dispose]: () => {} }) };
}
