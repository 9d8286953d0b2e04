import { parseApiVersion } from "@kubewright/core/identity";
import { isJsonObject, type JsonObject, type JsonValue, setOwn } from "@kubewright/core/json";
import { Quantity } from "@kubewright/core/quantity";

/** API groups with a dot whose kinds kube-apiserver itself stores, through Go structs. */
const dottedGroups = new Set(
  [
    "admissionregistration",
    "apiextensions",
    "apiregistration",
    "certificates",
    "coordination",
    "discovery",
    "events",
    "flowcontrol.apiserver",
    "networking",
    "node",
    "rbac.authorization",
    "resource",
    "scheduling",
    "storage",
  ].map((group) => `${group}.k8s.io`),
);

/** Maps of quantities. */
const quantityMaps = new Set(["limits", "requests", "hard", "capacity", "podFixed"]);
/** Fields of Go type map, which are omitted while empty. A pointer to a struct is not: `emptyDir: {}` is stored. */
const plainMaps = new Set(["labels", "annotations", "matchLabels", "nodeSelector", "data", "binaryData"]);

/** Whether the server stores objects of an apiVersion through Go structs, which change the form of some values. Custom resources keep theirs. */
export function isStoredByStructs(apiVersion: JsonValue | undefined): boolean {
  const group = typeof apiVersion === "string" ? parseApiVersion(apiVersion)?.group : undefined;
  return group !== undefined && (!group.includes(".") || dottedGroups.has(group));
}

/**
 * Whether a Go struct stores nothing for the value of a field: an empty list or map, and an env variable's `value: ""`.
 *
 * Only for fields that no pointer holds. An absent pointer may be an applied `null`, and is not the same as zero, "" or {}.
 */
export function isOmitted(field: string, value: JsonValue): boolean {
  if (Array.isArray(value)) return value.length === 0;
  if (isJsonObject(value)) return Object.keys(value).length === 0 && (plainMaps.has(field) || quantityMaps.has(field));
  return field === "value" && value === "";
}

/** The value of a field with its quantities as the server prints them (`1` for `1000m`); undefined where it has none. */
export function withCanonicalQuantities(field: string, value: JsonValue): JsonValue | undefined {
  if (field === "sizeLimit") return canonical(value);
  if (!quantityMaps.has(field) || !isJsonObject(value)) return undefined;
  const printed: { [name: string]: JsonValue } = {};
  for (const [name, quantity] of Object.entries(value)) setOwn(printed, name, canonical(quantity) ?? quantity);
  return printed as JsonObject;
}

function canonical(value: JsonValue): JsonValue | undefined {
  if (typeof value !== "string" && typeof value !== "number") return undefined;
  try {
    return Quantity.parse(String(value)).toString();
  } catch {
    return undefined;
  }
}
