import { deepEqual, type JsonObject } from "@kubewright/core/json";
import { duplicate, invalid, required } from "@kubewright/core/schema";
import { ageColumn, nameColumn } from "../../columns.js";
import { childDraft, listAt, objectAt, optionalNumber, textAt, textsAt } from "../../draft.js";
import { qualifiedName, subdomainName } from "../../name-rules.js";
import type { Strategy } from "../../strategy.js";
import { checkDriverName, checkName, type Errors, entriesAt, immutable, notNegative } from "../../validation/index.js";

/** CSINode. */
export const csiNodeStrategy: Strategy = {
  nameRule: subdomainName,
  allowUnconditionalUpdate: false,
  canonicalize(draft) {
    const spec = childDraft(draft, "spec");
    // The store's encoding turns an empty list into null.
    if (listAt(spec, "drivers").length === 0) spec["drivers"] = null;
  },
  validate(object, old) {
    const errors: Errors = [];
    const names = new Set<string>();
    for (const [driver, at] of entriesAt(objectAt(object, "spec"), "drivers", "spec")) {
      checkNodeDriver(driver, at, names, errors);
      const before =
        old &&
        [...entriesAt(objectAt(old, "spec"), "drivers", "")].find(
          ([one]) => textAt(one, "name") === textAt(driver, "name"),
        )?.[0];
      const keys = ["nodeID", "topologyKeys"];
      if (before && !keys.every((key) => deepEqual(driver[key] ?? null, before[key] ?? null)))
        errors.push(invalid("spec.drivers", driver, immutable));
    }
    return errors;
  },
  deletion: {
    returnsObject: true,
  },
  table: {
    columns: [
      nameColumn,
      { name: "Drivers", type: "integer", cell: (object) => listAt(objectAt(object, "spec"), "drivers").length },
      ageColumn,
    ],
  },
};

function checkNodeDriver(driver: JsonObject, at: string, names: Set<string>, errors: Errors): void {
  const name = textAt(driver, "name");
  checkDriverName(name, `${at}.name`, errors);
  const id = textAt(driver, "nodeID");
  if (id === "") errors.push(required(`${at}.nodeID`));
  if (id.length > 256) errors.push(invalid(`${at}.nodeID`, id, "must be 256 characters or less"));
  const count = optionalNumber(objectAt(driver, "allocatable"), "count");
  if (count !== undefined && count < 0) errors.push(invalid(`${at}.allocatable.count`, count, notNegative));
  if (names.has(name)) errors.push(duplicate(`${at}.name`, name));
  names.add(name);
  const keys = new Set<string>();
  for (const key of textsAt(driver, "topologyKeys")) {
    if (key === "") errors.push(required(at));
    if (keys.has(key)) errors.push(duplicate(at, key));
    keys.add(key);
    checkName(key, qualifiedName, at, errors);
  }
}
