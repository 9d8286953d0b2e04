import type { CertificateAuthority } from "@kubewright/core/certificates";
import { formatTime } from "@kubewright/core/meta";
import { type Controller, controller } from "kubewright";
import { CertificateSigningRequest } from "kubewright/k8s/certificates/v1";
import { askedIn, holdsSince } from "./request-state.js";
import { signerRules } from "./signer-rules.js";

const minute = 60_000;
/** How long certificates hold at most. */
const longestMs = 365 * 24 * 60 * minute;
/** So much earlier than now they begin, for clocks that are behind. */
const backdateMs = 5 * minute;

/** Signs requests that were approved and fit their signer, and tells of those that do not. */
export function requestSigner(authority: () => CertificateAuthority): Controller {
  return controller(CertificateSigningRequest, {
    name: "csrsigning",
    fieldManager: "kube-controller-manager",
    reconcile: ({ object: request, status, clock }) => {
      const rule = signerRules.get(request.spec?.signerName ?? "");
      if (rule === undefined || (status.certificate ?? "") !== "") return;
      if (holdsSince(request, "Approved") === undefined || holdsSince(request, "Denied") !== undefined) return;
      if (holdsSince(request, "Failed") !== undefined) return;
      const asked = askedIn(request);
      if (asked === undefined || !asked.isSigned) return;
      const { usages = [], expirationSeconds } = request.spec ?? {};
      const nowMs = clock.now();
      const wrong = rule(asked, usages);
      if (wrong !== undefined) {
        const time = formatTime(nowMs);
        const failed = {
          type: "Failed",
          status: "True",
          reason: "SignerValidationFailure",
          message: wrong,
          lastUpdateTime: time,
          lastTransitionTime: time,
        };
        status.conditions = [...(status.conditions ?? []), failed];
        return;
      }
      const wantedMs = expirationSeconds === undefined ? longestMs : expirationSeconds * 1_000;
      const forMs = Math.max(Math.min(wantedMs, longestMs), 10 * minute);
      const notAfterMs = nowMs + forMs - (forMs < 8 * 60 * minute ? 0 : backdateMs);
      const signed = authority().signRequest(asked, { usages, notBeforeMs: nowMs - backdateMs, notAfterMs });
      status.certificate = Buffer.from(signed).toString("base64");
    },
  });
}
