import type { JsonObject } from "@kubewright/core/json";
import { type FieldError, invalid, required } from "@kubewright/core/schema";
import { metadataOf, objectAt, textAt } from "../draft.js";

/** Groups that belong to the Kubernetes community need its approval, by an annotation. */
export function isProtectedGroup(group: string): boolean {
  return ["k8s.io", "kubernetes.io"].some((owner) => group === owner || group.endsWith(`.${owner}`));
}

const approvalAnnotation = "api-approved.kubernetes.io";

/** What the approval annotation says: an address, `unapproved...`, or something else. */
export function approvalOf(definition: JsonObject): {
  readonly kind: "missing" | "bypassed" | "approved" | "invalid";
  readonly reason: string;
} {
  const value = textAt(objectAt(metadataOf(definition), "annotations"), approvalAnnotation);
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

/** What is wrong with the approval of a definition. */
export function checkApproval(object: JsonObject, old: JsonObject | undefined): FieldError[] {
  if (!isProtectedGroup(textAt(objectAt(object, "spec"), "group"))) return [];
  const state = approvalOf(object);
  // What was let in once may stay as it is.
  if (old && approvalOf(old).kind === state.kind) return [];
  const field = `metadata.annotations[${approvalAnnotation}]`;
  if (state.kind === "missing") return [required(field, state.reason)];
  const value = textAt(objectAt(metadataOf(object), "annotations"), approvalAnnotation);
  return state.kind === "invalid" ? [invalid(field, value, state.reason)] : [];
}
