import { type FieldError, invalid, required } from "@kubewright/core/schema";
import type { CustomResourceDefinitionNames } from "kubewright/k8s/apiextensions/v1";
import type { Decoded } from "../decoded.js";
import { dns1035Label } from "../name-rules.js";

type Names = Decoded<CustomResourceDefinitionNames>;

const parts = ["plural", "singular", "kind", "listKind"] as const;

/** Validates that a CRD has the required names. */
export function requireNames(names: Names, field: string): FieldError[] {
  return parts.flatMap((key) => (names[key] ? [] : [required(`${field}.${key}`)]));
}

/** Validates the names of a spec or a status; absent names are valid. */
export function checkNames(names: Names, field: string): FieldError[] {
  const errors: FieldError[] = [];
  for (const key of parts) {
    const value = names[key] ?? "";
    const mixed = key === "kind" || key === "listKind";
    const problems = value === "" ? [] : dns1035Label(mixed ? value.toLowerCase() : value);
    const prefix = mixed ? "may have mixed case, but should otherwise match: " : "";
    if (problems.length > 0) errors.push(invalid(`${field}.${key}`, value, prefix + problems.join(",")));
  }
  errors.push(...checkList(names, "shortNames", field));
  if (names.listKind && names.kind === names.listKind)
    errors.push(invalid(`${field}.listKind`, names.listKind, "kind and listKind may not be the same"));
  errors.push(...checkList(names, "categories", field));
  return errors;
}

function checkList(names: Names, list: "shortNames" | "categories", field: string): FieldError[] {
  return (names[list] ?? []).flatMap((value, index) => {
    const problems = dns1035Label(value);
    return problems.length === 0 ? [] : [invalid(`${field}.${list}[${index}]`, value, problems.join(","))];
  });
}
