import { deepEqual, type JsonObject } from "@kubewright/core/json";
import type { FieldError } from "@kubewright/core/schema";
import { ageColumn, countOf, nameColumn } from "../../columns.js";
import { objectAt } from "../../draft.js";
import { configKey, subdomainName } from "../../name-rules.js";
import { invalidAt } from "../../object-meta.js";
import type { Strategy } from "../../strategy.js";

/** The size limit of a ConfigMap or a Secret. */
export const dataLimitBytes = 1024 * 1024;

/** ConfigMap. */
export const configMapStrategy: Strategy = {
  nameRule: subdomainName,
  allowUnconditionalUpdate: true,
  validate(object, old) {
    const errors: FieldError[] = old ? checkFrozenData(object, old) : [];
    const data = objectAt(object, "data");
    const binary = objectAt(object, "binaryData");
    let bytes = 0;
    for (const [key, value] of Object.entries(data)) {
      for (const detail of configKey(key)) errors.push(invalidAt(`data[${key}]`, key, detail));
      if (Object.hasOwn(binary, key))
        errors.push(invalidAt(`data[${key}]`, key, "duplicate of key present in binaryData"));
      if (typeof value === "string") bytes += Buffer.byteLength(value);
    }
    for (const [key, value] of Object.entries(binary)) {
      for (const detail of configKey(key)) errors.push(invalidAt(`binaryData[${key}]`, key, detail));
      if (typeof value === "string") bytes += Math.floor((value.length * 3) / 4);
    }
    if (bytes > dataLimitBytes)
      errors.push({
        type: "TooLong",
        field: "[]",
        badValue: "",
        detail: `may not be more than ${dataLimitBytes} bytes`,
      });
    return errors;
  },
  table: {
    columns: [
      nameColumn,
      {
        name: "Data",
        type: "string",
        cell: (object) => countOf(objectAt(object, "data")) + countOf(objectAt(object, "binaryData")),
      },
      ageColumn,
    ],
  },
};

/** Rejects a change of the data of an immutable object. */
export function checkFrozenData(object: JsonObject, old: JsonObject): FieldError[] {
  if (old["immutable"] !== true) return [];
  const detail = "field is immutable when `immutable` is set";
  const errors: FieldError[] = [];
  if (object["immutable"] !== true) errors.push({ type: "Forbidden", field: "immutable", badValue: "", detail });
  for (const field of ["data", "binaryData"])
    if (!deepEqual(object[field], old[field])) errors.push({ type: "Forbidden", field, badValue: "", detail });
  return errors;
}
