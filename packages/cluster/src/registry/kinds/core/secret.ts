import { type JsonObject, setOwn } from "@kubewright/core/json";
import { type FieldError, required } from "@kubewright/core/schema";
import { ageColumn, countOf, nameColumn } from "../../columns.js";
import { childDraft, type Draft, isDraft, metadataOf, objectAt, setDefault, textAt } from "../../draft.js";
import { configKey, subdomainName } from "../../name-rules.js";
import { invalidAt } from "../../object-meta.js";
import type { Strategy } from "../../resource.js";
import { checkFrozenData, dataLimitBytes } from "./config-map.js";

/** Fields that a type of secret must have, and what they are called in messages. */
const requiredKeys: Readonly<Record<string, readonly string[]>> = {
  "kubernetes.io/dockerconfigjson": [".dockerconfigjson"],
  "kubernetes.io/dockercfg": [".dockercfg"],
  "kubernetes.io/tls": ["tls.crt", "tls.key"],
};

/** Secrets: `stringData` moves into `data`, the type is fixed once set. */
export const secretStrategy: Strategy = {
  nameRule: subdomainName,
  unconditionalUpdate: true,
  tracksGeneration: false,
  applyDefaults(draft) {
    setDefault(draft, "type", "Opaque");
    const plain = draft["stringData"];
    if (!isDraft(plain)) return;
    const data: Draft = childDraft(draft, "data");
    for (const [key, value] of Object.entries(plain))
      if (typeof value === "string") setOwn(data, key, Buffer.from(value, "utf8").toString("base64"));
    delete draft["stringData"];
  },
  check(object, old) {
    const errors: FieldError[] = [];
    if (old && textAt(old, "type") !== textAt(object, "type"))
      errors.push(invalidAt("type", textAt(object, "type"), "field is immutable"));
    if (old) errors.push(...checkFrozenData(object, old, ["data"]));
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
  columns: [
    nameColumn,
    { name: "Type", type: "string", cell: (object) => textAt(object, "type") },
    { name: "Data", type: "string", cell: (object) => countOf(objectAt(object, "data")) },
    ageColumn,
  ],
};

const accountAnnotation = "kubernetes.io/service-account.name";

/** What the type of a secret asks of its content, beside keys. */
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
    for (const key of requiredKeys[type] ?? []) {
      const problem = Object.hasOwn(data, key) ? jsonProblem(textOf(data, key)) : undefined;
      if (problem !== undefined) errors.push(invalidAt(`data[${key}]`, "<secret contents redacted>", problem));
    }
}

function textOf(data: JsonObject, key: string): string {
  return Buffer.from(textAt(data, key), "base64").toString("utf8");
}

/** What keeps a text from being an object of JSON, in the words of a real server as far as they are known. */
function jsonProblem(text: string): string | undefined {
  const trimmed = text.trim();
  if (trimmed === "") return "unexpected end of JSON input";
  try {
    const value: unknown = JSON.parse(trimmed);
    if (value === null || (typeof value === "object" && !Array.isArray(value))) return undefined;
    const found = Array.isArray(value) ? "array" : typeof value === "boolean" ? "bool" : typeof value;
    return `json: cannot unmarshal ${found} into Go value of type map[string]interface {}`;
  } catch {
    const [first = ""] = trimmed;
    return /[[{"\d\-tfn]/.test(first) ? "invalid JSON" : `invalid character '${first}' looking for beginning of value`;
  }
}

/** Pairs of a key and a certificate that cannot be read are taken, with advice. */
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
