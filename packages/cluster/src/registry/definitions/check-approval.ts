import { type FieldError, invalid, required } from "@kubewright/core/schema";
import type { CustomResourceDefinition } from "kubewright/k8s/apiextensions/v1";
import type { Decoded } from "../decoded.js";

/** Whether a group is protected: its CRDs need the `api-approved.kubernetes.io` annotation. */
export function isProtectedGroup(group: string): boolean {
  return ["k8s.io", "kubernetes.io"].some((owner) => group === owner || group.endsWith(`.${owner}`));
}

const approvalAnnotation = "api-approved.kubernetes.io";

/** The state of the approval annotation: a URL approves, `unapproved...` bypasses the approval. */
export function approvalOf(definition: Decoded<CustomResourceDefinition>): {
  readonly kind: "missing" | "bypassed" | "approved" | "invalid";
  readonly reason: string;
} {
  const value = definition.metadata?.annotations?.[approvalAnnotation] ?? "";
  if (value === "")
    return {
      kind: "missing",
      reason: `protected groups must have approval annotation "${approvalAnnotation}", see https://github.com/kubernetes/enhancements/pull/1111`,
    };
  if (value.startsWith("unapproved")) return { kind: "bypassed", reason: `not approved: ${JSON.stringify(value)}` };
  if (/^[a-z][a-z0-9+.-]*:\/\/[^/\s]+/i.test(value)) return { kind: "approved", reason: `approved in ${value}` };
  return {
    kind: "invalid",
    reason: `protected groups must have approval annotation "${approvalAnnotation}" with either a URL or a reason starting with "unapproved", see https://github.com/kubernetes/enhancements/pull/1111`,
  };
}

/** Validates the approval annotation of a CRD. */
export function checkApproval(
  object: Decoded<CustomResourceDefinition>,
  old: Decoded<CustomResourceDefinition> | undefined,
): FieldError[] {
  if (!isProtectedGroup(object.spec?.group ?? "")) return [];
  const state = approvalOf(object);
  // Ratcheting: an update may keep the state.
  if (old && approvalOf(old).kind === state.kind) return [];
  const field = `metadata.annotations[${approvalAnnotation}]`;
  if (state.kind === "missing") return [required(field, state.reason)];
  const value = object.metadata?.annotations?.[approvalAnnotation] ?? "";
  return state.kind === "invalid" ? [invalid(field, value, state.reason)] : [];
}
