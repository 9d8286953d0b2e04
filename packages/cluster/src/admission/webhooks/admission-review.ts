import { cloneJson, type JsonObject } from "@kubewright/core/json";
import type { AdmittedObjects } from "../matching/index.js";

/** The version of a review, its uid and its objects. */
export interface ReviewParts extends AdmittedObjects {
  readonly version: string;
  readonly uid: string;
}

/** An AdmissionReview. v1 and v1beta1 differ only in their apiVersion. The caller owns it: its objects are copies. */
export function admissionReview(request: JsonObject, { version, uid, object, oldObject }: ReviewParts): JsonObject {
  return {
    kind: "AdmissionReview",
    apiVersion: `admission.k8s.io/${version}`,
    request: {
      uid,
      ...request,
      object: object === undefined ? null : cloneJson(object),
      oldObject: oldObject === undefined ? null : cloneJson(oldObject),
    },
  };
}
