import { createPrivateKey, X509Certificate } from "node:crypto";
import { OperatorError } from "@kubewright/core/errors";

interface Pair {
  readonly certificate: string;
  readonly key: string;
}

/** Reports whether a PEM certificate and a PEM key can be parsed and match. */
export function isMatchingPair(pair: Pair): boolean {
  try {
    return matches(pair);
  } catch {
    return false;
  }
}

/** Throws CONFIG_INVALID for a pair that TLS cannot use. */
export function checkClientCertificate(pair: Pair): void {
  let match: boolean;
  try {
    match = matches(pair);
  } catch (cause) {
    throw new OperatorError(
      "CONFIG_INVALID",
      `Cannot use the client certificate: the certificate or its key is not valid PEM: ${cause instanceof Error ? cause.message : cause}`,
      { cause },
    );
  }
  if (!match)
    throw new OperatorError("CONFIG_INVALID", "Cannot use the client certificate: the private key does not match it");
}

function matches({ certificate, key }: Pair): boolean {
  return new X509Certificate(certificate).checkPrivateKey(createPrivateKey(key));
}
