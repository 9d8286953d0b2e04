import { Buffer } from "node:buffer";
import type { ApiStatus } from "@kubewright/core/errors";
import { type JsonObject, normaliseJson, stringifyJson } from "@kubewright/core/json";
import type { JsonPatchOperation } from "@kubewright/core/patch";
import { reviewVersions } from "./admission-request.js";

/** What a webhook decided. */
export interface AdmissionResult {
  /** Why the request is denied; undefined if it is allowed. */
  readonly denied?: ApiStatus | undefined;
  /** What the defaulter changed. */
  readonly patch?: readonly JsonPatchOperation[];
  readonly warnings?: readonly string[];
  readonly auditAnnotations?: Readonly<Record<string, string>>;
}

/** An AdmissionReview with its response, in the version of the request. Without a readable request the uid is empty. */
export function responseReview(
  { denied, patch = [], warnings = [], auditAnnotations = {} }: AdmissionResult,
  { apiVersion = reviewVersions[0] ?? "", uid = "" }: { readonly apiVersion?: string; readonly uid?: string } = {},
): JsonObject {
  return {
    apiVersion,
    kind: "AdmissionReview",
    response: {
      uid,
      allowed: denied === undefined,
      ...(denied && { status: normaliseJson(denied) }),
      ...(denied === undefined &&
        patch.length > 0 && {
          patchType: "JSONPatch",
          patch: Buffer.from(stringifyJson(patch)).toString("base64"),
        }),
      ...(warnings.length > 0 && { warnings }),
      ...(Object.keys(auditAnnotations).length > 0 && { auditAnnotations }),
    },
  };
}
