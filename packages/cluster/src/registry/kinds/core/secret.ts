import { setOwn } from "@kubewright/core/json";
import { type FieldError, required } from "@kubewright/core/schema";
import type { Secret } from "kubewright/k8s/core/v1";
import { ageColumn, countOf, nameColumn } from "../../columns.js";
import type { Decoded } from "../../decoded.js";
import { childDraft } from "../../draft.js";
import { configKey, subdomainName } from "../../name-rules.js";
import { invalidAt } from "../../object-meta.js";
import type { Strategy } from "../../strategy.js";
import { checkImmutableData, dataLimitBytes } from "./config-map.js";

/** The data keys that a Secret type requires. */
const requiredKeys: ReadonlyMap<string, readonly string[]> = new Map([
  ["kubernetes.io/dockerconfigjson", [".dockerconfigjson"]],
  ["kubernetes.io/dockercfg", [".dockercfg"]],
  ["kubernetes.io/tls", ["tls.crt", "tls.key"]],
]);

/** Secret. `stringData` is merged into `data`; the type is immutable. */
export const secretStrategy: Strategy<Secret> = {
  nameRule: subdomainName,
  allowUnconditionalUpdate: true,
  applyDefaults(draft) {
    draft.type ||= "Opaque";
    if (!draft.stringData) return;
    const data = childDraft(draft, "data");
    for (const [key, value] of Object.entries(draft.stringData))
      setOwn(data, key, Buffer.from(value, "utf8").toString("base64"));
    delete draft.stringData;
  },
  validate(object, old) {
    const errors: FieldError[] = [];
    const { type = "", data = {} } = object;
    if (old && old.type !== object.type) errors.push(invalidAt("type", type, "field is immutable"));
    if (old) errors.push(...checkImmutableData(object, old));
    let bytes = 0;
    for (const [key, value] of Object.entries(data)) {
      for (const detail of configKey(key)) errors.push(invalidAt(`data[${key}]`, key, detail));
      bytes += Math.floor((value.length * 3) / 4);
    }
    if (bytes > dataLimitBytes)
      errors.push({
        type: "TooLong",
        field: "data",
        badValue: "",
        detail: `may not be more than ${dataLimitBytes} bytes`,
      });
    checkContent(object, errors);
    for (const key of requiredKeys.get(type) ?? [])
      if (!Object.hasOwn(data, key)) errors.push({ type: "Required", field: `data[${key}]`, badValue: "", detail: "" });
    return errors;
  },
  warn: certificateWarnings,
  selectableFields: { type: (object) => object.type ?? "" },
  table: {
    columns: [
      nameColumn,
      { name: "Type", type: "string", cell: (object) => object.type ?? "" },
      { name: "Data", type: "string", cell: (object) => countOf(object.data ?? {}) },
      ageColumn,
    ],
  },
};

const accountAnnotation = "kubernetes.io/service-account.name";

/** Validates the data that the type of a Secret requires. */
function checkContent({ type, data = {}, metadata }: Decoded<Secret>, errors: FieldError[]): void {
  const missing = (field: string): void => void errors.push(required(field));
  if (type === "kubernetes.io/service-account-token") {
    if (!metadata?.annotations?.[accountAnnotation]) missing(`metadata.annotations[${accountAnnotation}]`);
  } else if (type === "kubernetes.io/basic-auth") {
    const keys = ["username", "password"];
    if (!keys.some((key) => Object.hasOwn(data, key))) for (const key of keys) missing(`data[${key}]`);
  } else if (type === "kubernetes.io/ssh-auth") {
    if (!data["ssh-privatekey"]) missing("data[ssh-privatekey]");
  } else if (type === "kubernetes.io/dockerconfigjson" || type === "kubernetes.io/dockercfg")
    for (const key of requiredKeys.get(type) ?? [])
      if (Object.hasOwn(data, key) && !isJsonMap(decodedAt(data, key)))
        errors.push(invalidAt(`data[${key}]`, "<secret contents redacted>", "must be a JSON object"));
}

function decodedAt(data: Readonly<Record<string, string>>, key: string): string {
  return Buffer.from(data[key] ?? "", "base64").toString("utf8");
}

/** Whether a string is a JSON object or null. */
function isJsonMap(json: string): boolean {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === "object" && !Array.isArray(value);
  } catch {
    return false;
  }
}

/** Warns of a TLS Secret without PEM data. */
function certificateWarnings({ type, data = {} }: Decoded<Secret>): string[] {
  if (type !== "kubernetes.io/tls") return [];
  for (const [key, what] of [
    ["tls.crt", "certificate"],
    ["tls.key", "key"],
  ] as const)
    if (!decodedAt(data, key).includes("-----BEGIN ")) return [`tls: failed to find any PEM data in ${what} input`];
  return [];
}
