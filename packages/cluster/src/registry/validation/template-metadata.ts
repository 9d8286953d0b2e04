import type { JsonObject } from "@kubewright/core/json";
import { forbidden } from "@kubewright/core/schema";
import { objectAt } from "../draft.js";
import { checkAnnotations, checkLabels } from "../object-meta.js";
import type { Errors } from "./field-checks.js";

/** The other fields of metadata. */
const others = [
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

const spelt: Readonly<Record<string, string>> = { uid: "uID" };

/** Validates the metadata of a template: only labels and annotations are allowed. */
export function checkTemplateMetadata(metadata: JsonObject, field: string, errors: Errors): void {
  errors.push(...checkAnnotations(objectAt(metadata, "annotations"), `${field}.annotations`));
  errors.push(...checkLabels(objectAt(metadata, "labels"), `${field}.labels`));
  for (const key of others) {
    const value = metadata[key];
    const isZero = value === undefined || value === null || value === "" || value === 0;
    if (!isZero) errors.push(forbidden(`${field}.${spelt[key] ?? key}`, "cannot be set"));
  }
}
