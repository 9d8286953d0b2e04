import { type JsonObject, setOwn } from "@kubewright/core/json";
import type { FieldError } from "@kubewright/core/schema";
import { ageColumn, countOf, nameColumn } from "../columns.js";
import { childDraft, type Draft, isDraft, objectAt, setDefault, textAt } from "../draft.js";
import { configKey, subdomainName } from "../name-rules.js";
import { invalidAt } from "../object-meta.js";
import type { Strategy } from "../resource.js";
import { checkFrozenData, dataLimitBytes } from "./config-map.js";

/** Fields that a type of secret must have, and what they are called in messages. */
const requiredKeys: Readonly<Record<string, readonly string[]>> = {
  "kubernetes.io/dockerconfigjson": [".dockerconfigjson"],
  "kubernetes.io/dockercfg": [".dockercfg"],
  "kubernetes.io/ssh-auth": ["ssh-privatekey"],
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
  prepareChange(draft, old) {
    // The type cannot change, so an update may leave it out; the default stands for "left out" here.
    if (draft["type"] === "Opaque" && textAt(old, "type") !== "Opaque" && textAt(old, "type") !== "")
      draft["type"] = textAt(old, "type");
  },
  check(object, old) {
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
    if (
      textAt(object, "type") === "kubernetes.io/basic-auth" &&
      data["username"] === undefined &&
      data["password"] === undefined
    )
      for (const key of ["username", "password"])
        errors.push({ type: "Required", field: `data[${key}]`, badValue: "", detail: "" });
    for (const key of requiredKeys[textAt(object, "type")] ?? [])
      if (!Object.hasOwn(data, key)) errors.push({ type: "Required", field: `data[${key}]`, badValue: "", detail: "" });
    return errors;
  },
  selectableFields: { type: (object: JsonObject) => textAt(object, "type") },
  columns: [
    nameColumn,
    { name: "Type", type: "string", cell: (object) => textAt(object, "type") },
    { name: "Data", type: "string", cell: (object) => countOf(objectAt(object, "data")) },
    ageColumn,
  ],
};
