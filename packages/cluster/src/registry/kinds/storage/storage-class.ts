import { deepEqual, type JsonObject, type JsonValue } from "@kubewright/core/json";
import { duplicate, invalid, required } from "@kubewright/core/schema";
import { ageColumn, nameOrDefaultColumn } from "../../columns.js";
import { objectAt, textAt, textsAt } from "../../draft.js";
import { qualifiedName, subdomainName } from "../../name-rules.js";
import type { Strategy } from "../../strategy.js";
import { checkName, checkOptionalEnum, type Errors, entriesAt, immutable } from "../../validation/index.js";
import { checkParameters } from "./class-parameters.js";

/** StorageClass. */
export const storageClassStrategy: Strategy = {
  nameRule: subdomainName,
  allowUnconditionalUpdate: true,
  applyDefaults(draft) {
    draft["reclaimPolicy"] ??= "Delete";
    draft["volumeBindingMode"] ??= "Immediate";
  },
  validate(object, old) {
    const errors: Errors = [];
    const provisioner = textAt(object, "provisioner");
    if (provisioner === "") errors.push(required("provisioner"));
    else checkName(provisioner.toLowerCase(), qualifiedName, "provisioner", errors);
    checkParameters(objectAt(object, "parameters"), errors);
    if (object["reclaimPolicy"] !== "")
      checkOptionalEnum(object["reclaimPolicy"], ["Delete", "Retain"], "reclaimPolicy", errors);
    checkOptionalEnum(object["volumeBindingMode"], ["Immediate", "WaitForFirstConsumer"], "volumeBindingMode", errors);
    checkTopologies(object, errors);
    if (old)
      for (const key of ["parameters", "provisioner", "reclaimPolicy", "volumeBindingMode"])
        if (!deepEqual(object[key] ?? null, old[key] ?? null))
          errors.push(invalid(key, object[key] ?? null, immutable));
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
      { name: "Provisioner", type: "string", cell: (object) => textAt(object, "provisioner") },
      { name: "ReclaimPolicy", type: "string", cell: (object) => textAt(object, "reclaimPolicy") },
      { name: "VolumeBindingMode", type: "string", cell: (object) => textAt(object, "volumeBindingMode") },
      { name: "AllowVolumeExpansion", type: "string", cell: (object) => object["allowVolumeExpansion"] === true },
      ageColumn,
    ],
  },
};

function checkTopologies(object: JsonObject, errors: Errors): void {
  const terms: JsonValue[] = [];
  const all = entriesAt(object, "allowedTopologies", "");
  for (const [term, place] of all) {
    const said = new Map<string, readonly string[]>();
    for (const [requirement, at] of entriesAt(term, "matchLabelExpressions", place.slice(1))) {
      const [key, values] = [textAt(requirement, "key"), textsAt(requirement, "values")];
      if (values.length === 0) errors.push(required(`${at}.values`));
      for (const [index, value] of values.entries())
        if (values.indexOf(value) < index) errors.push(duplicate(`${at}.values[${index}]`, value));
      checkName(key, qualifiedName, `${at}.key`, errors);
      if (said.has(key)) errors.push(duplicate(`${at}.key`, key));
      said.set(key, [...new Set(values)].sort());
    }
    const own = Object.fromEntries(said);
    const isRepeated = said.size === 0 || terms.some((one) => deepEqual(one, own));
    if (isRepeated) errors.push(duplicate(`${place.slice(1)}.matchLabelExpressions`, ""));
    terms.push(own);
  }
}
