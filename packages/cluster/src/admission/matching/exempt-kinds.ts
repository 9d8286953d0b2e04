import type { AdmissionRequest } from "../../registry/index.js";

const exempt: ReadonlySet<string> = new Set([
  "MutatingAdmissionPolicy",
  "MutatingAdmissionPolicyBinding",
  "MutatingWebhookConfiguration",
  "ValidatingAdmissionPolicy",
  "ValidatingAdmissionPolicyBinding",
  "ValidatingWebhookConfiguration",
]);

/** Whether no webhook or policy applies to a kind: one that rejects every write could otherwise not be removed. */
export function isExempt({ resource: { group, kind } }: AdmissionRequest): boolean {
  return group === "admissionregistration.k8s.io" && exempt.has(kind);
}
