import { deepEqual } from "@kubewright/core/json";
import { forbidden, required } from "@kubewright/core/schema";
import { ageColumn, nameColumn } from "../../columns.js";
import { objectAt, textAt } from "../../draft.js";
import { qualifiedName, subdomainName } from "../../name-rules.js";
import type { Strategy } from "../../strategy.js";
import { checkName, type Errors } from "../../validation/index.js";
import { checkParameters } from "./class-parameters.js";

/** VolumeAttributesClass. */
export const volumeAttributesClassStrategy: Strategy = {
  nameRule: subdomainName,
  allowUnconditionalUpdate: false,
  validate(object, old) {
    const errors: Errors = [];
    for (const key of old ? ["driverName", "parameters"] : [])
      if (!deepEqual(object[key] ?? null, old?.[key] ?? null))
        errors.push(forbidden(key, `updates to ${key} are forbidden.`));
    const driver = textAt(object, "driverName");
    if (driver === "") errors.push(required("driverName"));
    else checkName(driver.toLowerCase(), qualifiedName, "driverName", errors);
    const parameters = objectAt(object, "parameters");
    checkParameters(parameters, errors);
    if (Object.keys(parameters).length === 0)
      errors.push(required("parameters", "must contain at least one key/value pair"));
    return errors;
  },
  deletion: {
    returnsObject: true,
  },
  table: {
    columns: [
      nameColumn,
      { name: "DriverName", type: "string", cell: (object) => textAt(object, "driverName") },
      ageColumn,
    ],
  },
};
