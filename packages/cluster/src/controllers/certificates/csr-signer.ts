import type { CertificateAuthority } from "@kubewright/core/certificates";
import { formatTime } from "@kubewright/core/meta";
import { type Controller, controller } from "kubewright";
import { CertificateSigningRequest } from "kubewright/k8s/certificates/v1";
import { conditionTime, parsedRequest } from "./csr-state.js";
import { signerRules } from "./signer-rules.js";

const minute = 60_000;
/** --cluster-signing-duration: one year. */
const maxDurationMs = 365 * 24 * 60 * minute;
/** Backdates notBefore to allow for clock skew. */
const backdateMs = 5 * minute;

/** Signs approved CSRs. A CSR that its signer does not allow gets the condition Failed. */
export function csrSigner(authority: () => CertificateAuthority): Controller {
  return controller(CertificateSigningRequest, {
    name: "csrsigning",
    fieldManager: "kube-controller-manager",
    reconcile: ({ object: request, status, clock }) => {
      const rule = signerRules.get(request.spec?.signerName ?? "");
      if (rule === undefined || (status.certificate ?? "") !== "") return;
      if (conditionTime(request, "Approved") === undefined || conditionTime(request, "Denied") !== undefined) return;
      if (conditionTime(request, "Failed") !== undefined) return;
      const parsed = parsedRequest(request);
      if (parsed === undefined || !parsed.isSigned) return;
      const { usages = [], expirationSeconds } = request.spec ?? {};
      const nowMs = clock.now();
      const violation = rule(parsed, usages);
      if (violation !== undefined) {
        const time = formatTime(nowMs);
        const failed = {
          type: "Failed",
          status: "True",
          reason: "SignerValidationFailure",
          message: violation,
          lastUpdateTime: time,
          lastTransitionTime: time,
        };
        status.conditions = [...(status.conditions ?? []), failed];
        return;
      }
      const requestedMs = expirationSeconds === undefined ? maxDurationMs : expirationSeconds * 1_000;
      const durationMs = Math.max(Math.min(requestedMs, maxDurationMs), 10 * minute);
      const notAfterMs = nowMs + durationMs - (durationMs < 8 * 60 * minute ? 0 : backdateMs);
      const signed = authority().signRequest(parsed, { usages, notBeforeMs: nowMs - backdateMs, notAfterMs });
      status.certificate = Buffer.from(signed).toString("base64");
    },
  });
}
