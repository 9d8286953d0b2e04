import { type JsonObject, setOwn } from "@kubewright/core/json";
import { type FieldError, required } from "@kubewright/core/schema";
import { ageColumn, countOf, nameColumn } from "../../columns.js";
import { childDraft, type Draft, isDraft, metadataOf, objectAt, setDefault, textAt } from "../../draft.js";
import { configKey, subdomainName } from "../../name-rules.js";
import { invalidAt } from "../../object-meta.js";
import type { Strategy } from "../../strategy.js";
import { checkFrozenData, dataLimitBytes } from "./config-map.js";

/** The keys that a type of Secret requires. */
const requiredKeys: Readonly<Record<string, readonly string[]>> = {
  "kubernetes.io/dockerconfigjson": [".dockerconfigjson"],
  "kubernetes.io/dockercfg": [".dockercfg"],
  "kubernetes.io/tls": ["tls.crt", "tls.key"],
};

/** Secret: `stringData` moves into `data`; the type is immutable. */
export const secretStrategy: Strategy = {
  nameRule: subdomainName,
  allowUnconditionalUpdate: true,
  applyDefaults(draft) {
    setDefault(draft, "type", "Opaque");
    const plain = draft["stringData"];
    if (!isDraft(plain)) return;
    const data: Draft = childDraft(draft, "data");
    for (const [key, value] of Object.entries(plain))
      if (typeof value === "string") setOwn(data, key, Buffer.from(value, "utf8").toString("base64"));
    delete draft["stringData"];
  },
  validate(object, old) {
    const errors: FieldError[] = [];
    if (old && textAt(old, "type") !== textAt(object, "type"))
      errors.push(invalidAt("type", textAt(object, "type"), "field is immutable"));
    if (old) errors.push(...checkFrozenData(object, old));
    const data = objectAt(object, "data");
    let bytes = 0;
    for (const [key, value] of Object.entries(data)) {
      for (const detail of configKey(key)) errors.push(invalidAt(`data[${key}]`, key, detail));
      if (typeof value === "string") bytes += Math.floor((value.length * 3) / 4);
    }
    if (bytes > dataLimitBytes)
      errors.push({
        type: "TooLong",
        field: "data",
        badValue: "",
        detail: `may not be more than ${dataLimitBytes} bytes`,
      });
    checkContent(object, errors);
    for (const key of requiredKeys[textAt(object, "type")] ?? [])
      if (!Object.hasOwn(data, key)) errors.push({ type: "Required", field: `data[${key}]`, badValue: "", detail: "" });
    return errors;
  },
  warn: certificateWarnings,
  selectableFields: { type: (object: JsonObject) => textAt(object, "type") },
  table: {
    columns: [
      nameColumn,
      { name: "Type", type: "string", cell: (object) => textAt(object, "type") },
      { name: "Data", type: "string", cell: (object) => countOf(objectAt(object, "data")) },
      ageColumn,
    ],
  },
};

const accountAnnotation = "kubernetes.io/service-account.name";

/** What the type of a Secret requires of its values. */
function checkContent(object: JsonObject, errors: FieldError[]): void {
  const data = objectAt(object, "data");
  const type = textAt(object, "type");
  const missing = (field: string): void => void errors.push(required(field));
  if (type === "kubernetes.io/service-account-token") {
    if (textAt(objectAt(metadataOf(object), "annotations"), accountAnnotation) === "")
      missing(`metadata.annotations[${accountAnnotation}]`);
  } else if (type === "kubernetes.io/basic-auth") {
    const keys = ["username", "password"];
    if (!keys.some((key) => Object.hasOwn(data, key))) for (const key of keys) missing(`data[${key}]`);
  } else if (type === "kubernetes.io/ssh-auth") {
    if (textAt(data, "ssh-privatekey") === "") missing("data[ssh-privatekey]");
  } else if (type === "kubernetes.io/dockerconfigjson" || type === "kubernetes.io/dockercfg")
    for (const key of requiredKeys[type] ?? [])
      if (Object.hasOwn(data, key) && !isJsonMap(textOf(data, key)))
        errors.push(invalidAt(`data[${key}]`, "<secret contents redacted>", "must be a JSON object"));
}

function textOf(data: JsonObject, key: string): string {
  return Buffer.from(textAt(data, key), "base64").toString("utf8");
}

/** Whether a string is a JSON object or null. */
function isJsonMap(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && !Array.isArray(value);
  } catch {
    return false;
  }
}

/** A warning for a TLS Secret without PEM data. */
function certificateWarnings(object: JsonObject): string[] {
  if (textAt(object, "type") !== "kubernetes.io/tls") return [];
  const data = objectAt(object, "data");
  for (const [key, what] of [
    ["tls.crt", "certificate"],
    ["tls.key", "key"],
  ] as const)
    if (!textOf(data, key).includes("-----BEGIN ")) return [`tls: failed to find any PEM data in ${what} input`];
  return [];
}
