import { forbidden } from "@kubewright/core/schema";
import type { ObjectMeta } from "kubewright/k8s/meta/v1";
import type { Decoded } from "../decoded.js";
import { checkAnnotations, checkLabels } from "../object-meta.js";
import type { Errors } from "./field-checks.js";

/** The metadata fields that a template may not set. */
const forbiddenFields: readonly (keyof ObjectMeta)[] = [
  "name",
  "generateName",
  "namespace",
  "selfLink",
  "uid",
  "resourceVersion",
  "generation",
  "creationTimestamp",
  "deletionTimestamp",
  "deletionGracePeriodSeconds",
  "ownerReferences",
  "finalizers",
  "managedFields",
];

const reportedNames: Readonly<Record<string, string>> = { uid: "uID" };

/** Validates the metadata of a template: only labels and annotations are allowed. */
export function checkTemplateMetadata(metadata: Decoded<ObjectMeta>, field: string, errors: Errors): void {
  errors.push(...checkAnnotations(metadata.annotations ?? {}, `${field}.annotations`));
  errors.push(...checkLabels(metadata.labels ?? {}, `${field}.labels`));
  for (const key of forbiddenFields) {
    const value = metadata[key];
    const isZero = value === undefined || value === null || value === "" || value === 0;
    if (!isZero) errors.push(forbidden(`${field}.${reportedNames[key] ?? key}`, "cannot be set"));
  }
}
