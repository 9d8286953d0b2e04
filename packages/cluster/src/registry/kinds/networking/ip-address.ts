import { deepEqual, type JsonObject } from "@kubewright/core/json";
import { invalid, required } from "@kubewright/core/schema";
import { nameColumn } from "../../columns.js";
import { objectAt, partAt, textAt } from "../../draft.js";
import { pathSegmentName, subdomainName } from "../../name-rules.js";
import type { Strategy } from "../../strategy.js";
import { checkName, type Errors, immutable, strictAddress } from "../../validation/index.js";

/** IPAddress: a ClusterIP that is in use. */
export const ipAddressStrategy: Strategy = {
  nameRule: strictAddress,
  allowUnconditionalUpdate: true,
  validate(object, old) {
    const parent = partAt(objectAt(object, "spec"), "parentRef");
    const field = "spec.parentRef";
    const errors: Errors = [];
    if (old) {
      const before = partAt(objectAt(old, "spec"), "parentRef");
      if (!deepEqual(parent ?? null, before ?? null)) errors.push(invalid(field, parent ?? null, immutable));
      return errors;
    }
    if (!parent) return [required(field)];
    if (textAt(parent, "group") !== "") checkName(textAt(parent, "group"), subdomainName, `${field}.group`, errors);
    for (const key of ["resource", "name"]) {
      if (textAt(parent, key) === "") errors.push(required(`${field}.${key}`));
      else checkName(textAt(parent, key), pathSegmentName, `${field}.${key}`, errors);
    }
    if (textAt(parent, "namespace") !== "")
      checkName(textAt(parent, "namespace"), pathSegmentName, `${field}.namespace`, errors);
    return errors;
  },
  table: {
    columns: [nameColumn, { name: "ParentRef", type: "string", cell: printParent }],
  },
};

function printParent(object: JsonObject): string {
  const parent = partAt(objectAt(object, "spec"), "parentRef");
  if (!parent) return "<none>";
  const group = textAt(parent, "group");
  const resource = `${textAt(parent, "resource")}${group === "" ? "" : `.${group}`}`.toLowerCase();
  const namespace = textAt(parent, "namespace");
  return `${resource}${namespace === "" ? "" : `/${namespace}`}/${textAt(parent, "name")}`;
}
