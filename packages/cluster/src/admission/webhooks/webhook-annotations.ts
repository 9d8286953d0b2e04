import { goJson, type JsonValue } from "@kubewright/core/json";
import type { AdmissionRequest } from "../../registry/index.js";
import type { Webhook } from "./webhook.js";

/** One call of a mutating webhook: its round is 1 in a reinvocation, its index is that among all mutating webhooks. */
export interface CallPosition {
  readonly round: number;
  readonly index: number;
}

/** Annotates the audit event with whether a call of a mutating webhook changed the object. */
export function annotateMutation(
  request: AdmissionRequest,
  { configuration, name }: Webhook,
  { round, index, mutated }: CallPosition & { readonly mutated: boolean },
): void {
  request.annotate?.(
    `mutation.webhook.admission.k8s.io/round_${round}_index_${index}`,
    goJson({ configuration, webhook: name, mutated }),
  );
}

/** Annotates the audit event with a patch. Beyond the audit level Request, kube-apiserver drops this annotation. */
export function annotatePatch(
  request: AdmissionRequest,
  { configuration, name }: Webhook,
  { round, index, patch }: CallPosition & { readonly patch: readonly JsonValue[] },
): void {
  request.annotate?.(
    `patch.webhook.admission.k8s.io/round_${round}_index_${index}`,
    goJson({ configuration, webhook: name, patch: patch.map(sortedKeys), patchType: "JSONPatch" }),
  );
}

/** Annotates the audit event with a failed call that the failurePolicy Ignore admitted. */
export function annotateFailedOpen(
  request: AdmissionRequest,
  { name }: Webhook,
  { kind, round, index }: CallPosition & { readonly kind: "mutation" | "validating" },
): void {
  request.annotate?.(`failed-open.${kind}.webhook.admission.k8s.io/round_${round}_index_${index}`, name);
}

/** An operation of a patch as Go encodes the map that it is decoded into. */
function sortedKeys(operation: JsonValue): JsonValue {
  return typeof operation !== "object" || operation === null
    ? operation
    : Object.fromEntries(Object.entries(operation).sort(([a], [b]) => (a < b ? -1 : 1)));
}
