import { deepEqual, type JsonValue } from "@kubewright/core/json";
import { duplicate, invalid, required } from "@kubewright/core/schema";
import type { StorageClass } from "kubewright/k8s/storage/v1";
import { ageColumn, nameOrDefaultColumn } from "../../columns.js";
import type { Decoded } from "../../decoded.js";
import { qualifiedName, subdomainName } from "../../name-rules.js";
import type { Strategy } from "../../strategy.js";
import { checkName, checkOptionalEnum, type Errors, entriesAt, immutable } from "../../validation/index.js";
import { checkParameters } from "./class-parameters.js";

/** StorageClass. */
export const storageClassStrategy: Strategy<StorageClass> = {
  nameRule: subdomainName,
  allowUnconditionalUpdate: true,
  applyDefaults(draft) {
    draft.reclaimPolicy ??= "Delete";
    draft.volumeBindingMode ??= "Immediate";
  },
  validate(object, old) {
    const errors: Errors = [];
    const { provisioner = "" } = object;
    const reclaimPolicy: string | undefined = object.reclaimPolicy;
    if (provisioner === "") errors.push(required("provisioner"));
    else checkName(provisioner.toLowerCase(), qualifiedName, "provisioner", errors);
    checkParameters(object.parameters ?? {}, errors);
    if (reclaimPolicy !== "") checkOptionalEnum(reclaimPolicy, ["Delete", "Retain"], "reclaimPolicy", errors);
    checkOptionalEnum(object.volumeBindingMode, ["Immediate", "WaitForFirstConsumer"], "volumeBindingMode", errors);
    checkTopologies(object, errors);
    if (old)
      for (const key of ["parameters", "provisioner", "reclaimPolicy", "volumeBindingMode"] as const)
        if (!deepEqual(object[key], old[key])) errors.push(invalid(key, object[key] ?? null, immutable));
    return errors;
  },
  deletion: {
    returnsObject: true,
  },
  table: {
    columns: [
      nameOrDefaultColumn(
        "storageclass.kubernetes.io/is-default-class",
        "storageclass.beta.kubernetes.io/is-default-class",
      ),
      { name: "Provisioner", type: "string", cell: (object) => object.provisioner },
      { name: "ReclaimPolicy", type: "string", cell: (object) => object.reclaimPolicy },
      { name: "VolumeBindingMode", type: "string", cell: (object) => object.volumeBindingMode },
      { name: "AllowVolumeExpansion", type: "string", cell: (object) => object.allowVolumeExpansion === true },
      ageColumn,
    ],
  },
};

function checkTopologies(object: Decoded<StorageClass>, errors: Errors): void {
  const terms: JsonValue[] = [];
  for (const [term, place] of entriesAt(object, "allowedTopologies")) {
    const valuesByKey = new Map<string, readonly string[]>();
    for (const [requirement, at] of entriesAt(term, "matchLabelExpressions", place)) {
      const { key = "" } = requirement;
      const values = requirement.values ?? [];
      if (values.length === 0) errors.push(required(`${at}.values`));
      for (const [index, value] of values.entries())
        if (values.indexOf(value) < index) errors.push(duplicate(`${at}.values[${index}]`, value));
      checkName(key, qualifiedName, `${at}.key`, errors);
      if (valuesByKey.has(key)) errors.push(duplicate(`${at}.key`, key));
      valuesByKey.set(key, [...new Set(values)].sort());
    }
    const own = Object.fromEntries(valuesByKey);
    const isDuplicate = valuesByKey.size === 0 || terms.some((one) => deepEqual(one, own));
    if (isDuplicate) errors.push(duplicate(`${place}.matchLabelExpressions`, ""));
    terms.push(own);
  }
}
