import { createPrivateKey, X509Certificate } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { OperatorError } from "@kubewright/core/errors";

/** A certificate and its private key in PEM, with the property names of `node:tls`. */
export interface CertificatePair {
  readonly cert: string;
  readonly key: string;
}

/**
 * Reads `tls.crt` and `tls.key` of a directory, such as a mounted Secret of type `kubernetes.io/tls`. Rejects with CONFIG_INVALID when one is missing or
 * they do not match, as during a rotation: a TLS server accepts a mismatched pair and then fails every handshake.
 */
export async function readCertificatePair(folder: string): Promise<CertificatePair> {
  try {
    const [cert = "", key = ""] = await Promise.all(
      ["tls.crt", "tls.key"].map((name) => readFile(join(folder, name), "utf8")),
    );
    if (!new X509Certificate(cert).checkPrivateKey(createPrivateKey(key)))
      throw new Error("tls.key is not the key of tls.crt");
    return { cert, key };
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new OperatorError("CONFIG_INVALID", `Cannot read the certificate in "${folder}": ${why}`, { cause });
  }
}
