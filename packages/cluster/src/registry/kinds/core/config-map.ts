import { deepEqual } from "@kubewright/core/json";
import type { FieldError } from "@kubewright/core/schema";
import type { ConfigMap } from "kubewright/k8s/core/v1";
import { ageColumn, countOf, nameColumn } from "../../columns.js";
import type { Decoded } from "../../decoded.js";
import { configKey, subdomainName } from "../../name-rules.js";
import { invalidAt } from "../../object-meta.js";
import type { Strategy } from "../../strategy.js";

/** The size limit of a ConfigMap or a Secret. */
export const dataLimitBytes = 1024 * 1024;

/** ConfigMap. */
export const configMapStrategy: Strategy<ConfigMap> = {
  nameRule: subdomainName,
  allowUnconditionalUpdate: true,
  validate(object, old) {
    const errors: FieldError[] = old ? checkImmutableData(object, old) : [];
    const { data = {}, binaryData = {} } = object;
    let bytes = 0;
    for (const [key, value] of Object.entries(data)) {
      for (const detail of configKey(key)) errors.push(invalidAt(`data[${key}]`, key, detail));
      if (Object.hasOwn(binaryData, key))
        errors.push(invalidAt(`data[${key}]`, key, "duplicate of key present in binaryData"));
      bytes += Buffer.byteLength(value);
    }
    for (const [key, value] of Object.entries(binaryData)) {
      for (const detail of configKey(key)) errors.push(invalidAt(`binaryData[${key}]`, key, detail));
      bytes += Math.floor((value.length * 3) / 4);
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
        cell: (object) => countOf(object.data ?? {}) + countOf(object.binaryData ?? {}),
      },
      ageColumn,
    ],
  },
};

type ImmutableData = Decoded<Pick<ConfigMap, "immutable" | "data" | "binaryData">>;

/** Rejects a change of the data of an immutable object. */
export function checkImmutableData(object: ImmutableData, old: ImmutableData): FieldError[] {
  if (!old.immutable) return [];
  const detail = "field is immutable when `immutable` is set";
  const errors: FieldError[] = [];
  if (!object.immutable) errors.push({ type: "Forbidden", field: "immutable", badValue: "", detail });
  for (const field of ["data", "binaryData"] as const)
    if (!deepEqual(object[field], old[field])) errors.push({ type: "Forbidden", field, badValue: "", detail });
  return errors;
}
