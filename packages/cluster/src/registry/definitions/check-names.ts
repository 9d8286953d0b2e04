import type { JsonObject } from "@kubewright/core/json";
import { type FieldError, invalid, required } from "@kubewright/core/schema";
import { textAt, textsAt } from "../draft.js";
import { dns1035Label } from "../name-rules.js";

const parts = ["plural", "singular", "kind", "listKind"] as const;

/** Names that a definition must ask for. */
export function requireNames(names: JsonObject, field: string): FieldError[] {
  return parts.flatMap((key) => (textAt(names, key) === "" ? [required(`${field}.${key}`)] : []));
}

/** What is wrong with names, asked for or accepted; those that are missing are no matter here. */
export function checkNames(names: JsonObject, field: string): FieldError[] {
  const errors: FieldError[] = [];
  for (const key of parts) {
    const value = textAt(names, key);
    const mixed = key === "kind" || key === "listKind";
    const problems = value === "" ? [] : dns1035Label(mixed ? value.toLowerCase() : value);
    const prefix = mixed ? "may have mixed case, but should otherwise match: " : "";
    if (problems.length > 0) errors.push(invalid(`${field}.${key}`, value, prefix + problems.join(",")));
  }
  errors.push(...checkList(names, "shortNames", field));
  const listKind = textAt(names, "listKind");
  if (listKind !== "" && textAt(names, "kind") === listKind)
    errors.push(invalid(`${field}.listKind`, listKind, "kind and listKind may not be the same"));
  errors.push(...checkList(names, "categories", field));
  return errors;
}

function checkList(names: JsonObject, list: string, field: string): FieldError[] {
  return textsAt(names, list).flatMap((value, index) => {
    const problems = dns1035Label(value);
    return problems.length === 0 ? [] : [invalid(`${field}.${list}[${index}]`, value, problems.join(","))];
  });
}
