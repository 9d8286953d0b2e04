import { deepEqual } from "@kubewright/core/json";
import { invalid } from "@kubewright/core/schema";
import { nameColumn } from "../../columns.js";
import { metadataOf, textAt } from "../../draft.js";
import { subdomainName } from "../../name-rules.js";
import type { Strategy } from "../../strategy.js";
import {
  checkLabelSelector,
  checkName,
  type Errors,
  immutable,
  notNegative,
  quantityOf,
} from "../../validation/index.js";

/** CSIStorageCapacity. */
export const csiStorageCapacityStrategy: Strategy = {
  nameRule: subdomainName,
  allowUnconditionalUpdate: false,
  validate(object, old) {
    const errors: Errors = [];
    checkLabelSelector(object["nodeTopology"], "nodeTopology", errors);
    checkName(textAt(object, "storageClassName"), subdomainName, "storageClassName", errors);
    if (object["capacity"] !== undefined && quantityOf(object["capacity"]).sign < 0)
      errors.push(invalid("capacity", quantityOf(object["capacity"]).toString(), notNegative));
    if (old)
      for (const key of ["nodeTopology", "storageClassName"])
        if (!deepEqual(object[key] ?? null, old[key] ?? null))
          errors.push(invalid(key, object[key] ?? null, immutable));
    return errors;
  },
  table: {
    columns: [
      nameColumn,
      { name: "Created At", type: "date", cell: (object) => textAt(metadataOf(object), "creationTimestamp") },
    ],
  },
};
