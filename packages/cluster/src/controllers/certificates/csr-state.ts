import { type CertificateRequest, parseCertificateRequest } from "@kubewright/core/certificates";
import type { ReadOf } from "kubewright";
import type { CertificateSigningRequest } from "kubewright/k8s/certificates/v1";

/** A CSR as the cache returns it. */
export type ReadCsr = ReadOf<typeof CertificateSigningRequest>;

/** When a condition that is not False was last updated; undefined if there is none. */
export function conditionTime({ status }: ReadCsr, type: "Approved" | "Denied" | "Failed"): string | undefined {
  const condition = status?.conditions?.find((one) => one.type === type && one.status !== "False");
  return condition && (condition.lastUpdateTime ?? condition.lastTransitionTime ?? "");
}

/** The PKCS#10 request; undefined if it cannot be parsed. */
export function parsedRequest({ spec }: ReadCsr): CertificateRequest | undefined {
  try {
    return parseCertificateRequest(Buffer.from(spec?.request ?? "", "base64").toString("latin1"));
  } catch {
    return undefined;
  }
}
