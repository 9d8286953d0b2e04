import { deepEqual } from "@kubewright/core/json";
import { forbidden, required } from "@kubewright/core/schema";
import type { VolumeAttributesClass } from "kubewright/k8s/storage/v1";
import { ageColumn, nameColumn } from "../../columns.js";
import { qualifiedName, subdomainName } from "../../name-rules.js";
import type { Strategy } from "../../strategy.js";
import { checkName, type Errors } from "../../validation/index.js";
import { checkParameters } from "./class-parameters.js";

/** VolumeAttributesClass. */
export const volumeAttributesClassStrategy: Strategy<VolumeAttributesClass> = {
  nameRule: subdomainName,
  allowUnconditionalUpdate: false,
  validate(object, old) {
    const errors: Errors = [];
    const { driverName = "", parameters = {} } = object;
    for (const key of ["driverName", "parameters"] as const)
      if (old && !deepEqual(object[key], old[key])) errors.push(forbidden(key, `updates to ${key} are forbidden.`));
    if (driverName === "") errors.push(required("driverName"));
    else checkName(driverName.toLowerCase(), qualifiedName, "driverName", errors);
    checkParameters(parameters, errors);
    if (Object.keys(parameters).length === 0)
      errors.push(required("parameters", "must contain at least one key/value pair"));
    return errors;
  },
  deletion: {
    returnsObject: true,
  },
  table: {
    columns: [nameColumn, { name: "DriverName", type: "string", cell: (object) => object.driverName ?? "" }, ageColumn],
  },
};
