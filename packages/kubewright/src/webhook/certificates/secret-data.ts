import { type CertificateState, formatBundle, type IssuedCertificate } from "./certificate-state.js";
import type { StoredState } from "./next-step.js";
import { readBundle, readCertificate } from "./read-certificate.js";

/** The `data` of a Secret, in base64. */
export type SecretData = Readonly<Record<string, string>>;

/** The keys of the Secret: those of type `kubernetes.io/tls`, and the certificate that is not served yet. */
const keys = { current: ["tls.crt", "tls.key"], next: ["next-tls.crt", "next-tls.key"] } as const;
const bundleKey = "ca.crt";

/** Reads the state from the data of a Secret. What is invalid is not part of the state, but among the problems. */
export function decodeState(data: SecretData): StoredState {
  const problems: string[] = [];
  const value = (key: string): string => Buffer.from(data[key] ?? "", "base64").toString("utf8");
  const bundle = value(bundleKey);
  const { authorities, invalid } = readBundle(bundle);
  if (invalid > 0) problems.push(`${bundleKey} contains ${invalid} invalid CA certificates`);
  // As written for a state without CAs: a new Secret, see `nextStep`.
  else if (authorities.length === 0 && !(bundleKey in data && Object.values(data).every((encoded) => encoded === "")))
    problems.push(`${bundleKey} contains no certificate`);
  const read = ([certificateKey, privateKey]: readonly [string, string]): IssuedCertificate | undefined => {
    const [pem, key] = [value(certificateKey), value(privateKey)];
    if (pem === "" && key === "") return undefined;
    try {
      return readCertificate(pem, key, authorities);
    } catch (error) {
      problems.push(`${certificateKey}: ${error instanceof Error ? error.message : String(error)}`);
      return undefined;
    }
  };
  const [current, next] = [read(keys.current), read(keys.next)];
  return { state: { authorities, ...(current && { current }), ...(next && { next }) }, problems };
}

/** The data of the Secret for a state; other keys of `before` stay. */
export function encodeState(state: CertificateState, before: SecretData = {}): SecretData {
  const { [keys.next[0]]: _certificate, [keys.next[1]]: _key, ...others } = before;
  // Type kubernetes.io/tls requires tls.crt and tls.key, even while there is no current certificate.
  return {
    ...others,
    ...pairData(keys.current, state.current ?? { certificate: "", privateKey: "" }),
    ...(state.next && pairData(keys.next, state.next)),
    [bundleKey]: base64(formatBundle(state.authorities)),
  };
}

function pairData(
  [certificateKey, privateKey]: readonly [string, string],
  pair: Pick<IssuedCertificate, "certificate" | "privateKey">,
): SecretData {
  return { [certificateKey]: base64(pair.certificate), [privateKey]: base64(pair.privateKey) };
}

function base64(text: string): string {
  return Buffer.from(text, "utf8").toString("base64");
}
