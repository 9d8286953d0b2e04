import { type CertificateRequest, parseCertificateRequest } from "@kubewright/core/certificates";
import type { ReadOf } from "kubewright";
import type { CertificateSigningRequest } from "kubewright/k8s/certificates/v1";

/** A request as caches give it. */
export type ReadRequest = ReadOf<typeof CertificateSigningRequest>;

/** When a condition was last written, where it holds; undefined where it does not. */
export function holdsSince({ status }: ReadRequest, type: "Approved" | "Denied" | "Failed"): string | undefined {
  const condition = status?.conditions?.find((one) => one.type === type && one.status !== "False");
  return condition && (condition.lastUpdateTime ?? condition.lastTransitionTime ?? "");
}

/** What is asked for; undefined for what cannot be read, of which no controller makes anything. */
export function askedIn({ spec }: ReadRequest): CertificateRequest | undefined {
  try {
    return parseCertificateRequest(Buffer.from(spec?.request ?? "", "base64").toString("latin1"));
  } catch {
    return undefined;
  }
}
