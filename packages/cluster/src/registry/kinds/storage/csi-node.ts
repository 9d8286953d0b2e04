import { deepEqual } from "@kubewright/core/json";
import { duplicate, invalid, required } from "@kubewright/core/schema";
import type { CSINode, CSINodeDriver } from "kubewright/k8s/storage/v1";
import { ageColumn, nameColumn } from "../../columns.js";
import type { Decoded } from "../../decoded.js";
import { childDraft, type Draft } from "../../draft.js";
import { qualifiedName, subdomainName } from "../../name-rules.js";
import type { Strategy } from "../../strategy.js";
import {
  checkCsiDriverName,
  checkName,
  checkNotNegative,
  type Errors,
  entriesAt,
  immutable,
} from "../../validation/index.js";

/** CSINode. */
export const csiNodeStrategy: Strategy<CSINode> = {
  nameRule: subdomainName,
  allowUnconditionalUpdate: false,
  canonicalize(draft) {
    const spec = childDraft(draft, "spec");
    // kube-apiserver stores an empty list as null, which the type does not allow.
    if (!spec.drivers?.length) (spec as Draft)["drivers"] = null;
  },
  validate(object, old) {
    const errors: Errors = [];
    const names = new Set<string>();
    for (const [driver, at] of entriesAt(object.spec ?? {}, "drivers", "spec")) {
      checkNodeDriver(driver, at, names, errors);
      const before = old?.spec?.drivers?.find((one) => one.name === driver.name);
      const isSame = driver.nodeID === before?.nodeID && deepEqual(driver.topologyKeys, before?.topologyKeys);
      if (before && !isSame) errors.push(invalid("spec.drivers", driver, immutable));
    }
    return errors;
  },
  deletion: {
    returnsObject: true,
  },
  table: {
    columns: [
      nameColumn,
      { name: "Drivers", type: "integer", cell: (object) => object.spec?.drivers?.length ?? 0 },
      ageColumn,
    ],
  },
};

function checkNodeDriver(driver: Decoded<CSINodeDriver>, at: string, names: Set<string>, errors: Errors): void {
  const { name = "", nodeID = "" } = driver;
  checkCsiDriverName(name, `${at}.name`, errors);
  if (nodeID === "") errors.push(required(`${at}.nodeID`));
  if (nodeID.length > 256) errors.push(invalid(`${at}.nodeID`, nodeID, "must be 256 characters or less"));
  checkNotNegative(driver.allocatable ?? {}, ["count"], `${at}.allocatable`, errors);
  if (names.has(name)) errors.push(duplicate(`${at}.name`, name));
  names.add(name);
  const keys = new Set<string>();
  for (const key of driver.topologyKeys ?? []) {
    if (key === "") errors.push(required(at));
    if (keys.has(key)) errors.push(duplicate(at, key));
    keys.add(key);
    checkName(key, qualifiedName, at, errors);
  }
}
