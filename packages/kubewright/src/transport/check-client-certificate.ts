import { createPrivateKey, X509Certificate } from "node:crypto";
import { OperatorError } from "@kubewright/core/errors";

interface Pair {
  readonly certificate: string;
  readonly key: string;
}

/** Tells whether a certificate and a key, both PEM, can be read and are for each other. */
export function belongTogether(pair: Pair): boolean {
  try {
    return matches(pair);
  } catch {
    return false;
  }
}

/** Throws CONFIG_INVALID for a pair that TLS could not use, in words that name it. */
export function checkClientCertificate(pair: Pair): void {
  let belong: boolean;
  try {
    belong = matches(pair);
  } catch (cause) {
    throw new OperatorError(
      "CONFIG_INVALID",
      `Cannot use the client certificate: it or its key cannot be read as PEM: ${cause instanceof Error ? cause.message : cause}`,
      { cause },
    );
  }
  if (!belong)
    throw new OperatorError("CONFIG_INVALID", "Cannot use the client certificate: its key belongs to another one");
}

function matches({ certificate, key }: Pair): boolean {
  return new X509Certificate(certificate).checkPrivateKey(createPrivateKey(key));
}
