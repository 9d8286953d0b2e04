import { deepEqual, type JsonObject, type JsonValue } from "@kubewright/core/json";
import { duplicate, forbidden, invalid, required, tooLong } from "@kubewright/core/schema";
import { ageColumn, nameColumn } from "../columns.js";
import { objectAt, textAt, textsAt } from "../draft.js";
import { qualifiedName, subdomainName } from "../name-rules.js";
import type { Strategy } from "../resource.js";
import { checkName, checkOptionalEnum, type Errors, entriesAt, immutable } from "./field-checks.js";
import { nameOrDefaultColumn } from "./ingress-class.js";

/** Kinds of storage from which volumes are made. */
export const storageClassStrategy: Strategy = {
  nameRule: subdomainName,
  unconditionalUpdate: true,
  tracksGeneration: false,
  returnsDeleted: true,
  applyDefaults(draft) {
    draft["reclaimPolicy"] ??= "Delete";
    draft["volumeBindingMode"] ??= "Immediate";
  },
  check(object, old) {
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
    // A term that says nothing equals the empty places that a real server keeps for all of them.
    const equal = terms.filter((one) => deepEqual(one, own)).length + (said.size === 0 ? all.length : 0);
    for (let count = 0; count < equal; count++) errors.push(duplicate(`${place.slice(1)}.matchLabelExpressions`, ""));
    terms.push(own);
  }
}

function checkParameters(parameters: JsonObject, errors: Errors): void {
  const entries = Object.entries(parameters);
  if (entries.length > 512) return void errors.push(tooLong("parameters", 512));
  if (Object.hasOwn(parameters, "")) errors.push(invalid("parameters", "", "field can not be empty."));
  const bytes = entries.reduce(
    (sum, [key, value]) => sum + Buffer.byteLength(key) + Buffer.byteLength(String(value)),
    0,
  );
  if (bytes > 262_144) errors.push(tooLong("parameters", 262_144));
}

/** Qualities that the volumes of a driver may be given later. */
export const volumeAttributesClassStrategy: Strategy = {
  nameRule: subdomainName,
  unconditionalUpdate: false,
  tracksGeneration: false,
  returnsDeleted: true,
  check(object, old) {
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
  columns: [
    nameColumn,
    { name: "DriverName", type: "string", cell: (object) => textAt(object, "driverName") },
    ageColumn,
  ],
};
