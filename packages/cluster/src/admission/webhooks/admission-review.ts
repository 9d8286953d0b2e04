import type { JsonObject } from "@kubewright/core/json";

/** The objects of a review, in the version that the webhook expects; undefined if the operation has none. */
export interface ReviewedObjects {
  readonly object: JsonObject | undefined;
  readonly oldObject: JsonObject | undefined;
}

/** An AdmissionReview. v1 and v1beta1 differ only in their apiVersion. */
export function admissionReview(
  version: string,
  uid: string,
  request: JsonObject,
  { object, oldObject }: ReviewedObjects,
): JsonObject {
  const { operation, userInfo, dryRun, options, ...identity } = request;
  return {
    kind: "AdmissionReview",
    apiVersion: `admission.k8s.io/${version}`,
    request: {
      uid,
      ...identity,
      operation: operation ?? "",
      userInfo: userInfo ?? {},
      object: object ?? null,
      oldObject: oldObject ?? null,
      dryRun: dryRun ?? false,
      options: options ?? null,
    },
  };
}
