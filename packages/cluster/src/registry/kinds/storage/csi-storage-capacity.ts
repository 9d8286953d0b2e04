import { deepEqual } from "@kubewright/core/json";
import { invalid } from "@kubewright/core/schema";
import type { CSIStorageCapacity } from "kubewright/k8s/storage/v1";
import { createdColumn, nameColumn } from "../../columns.js";
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
export const csiStorageCapacityStrategy: Strategy<CSIStorageCapacity> = {
  nameRule: subdomainName,
  allowUnconditionalUpdate: false,
  validate(object, old) {
    const errors: Errors = [];
    checkLabelSelector(object.nodeTopology, "nodeTopology", errors);
    checkName(object.storageClassName ?? "", subdomainName, "storageClassName", errors);
    const capacity = quantityOf(object.capacity ?? "0");
    if (capacity.sign < 0) errors.push(invalid("capacity", capacity.toString(), notNegative));
    if (old)
      for (const key of ["nodeTopology", "storageClassName"] as const)
        if (!deepEqual(object[key], old[key])) errors.push(invalid(key, object[key] ?? null, immutable));
    return errors;
  },
  table: {
    columns: [nameColumn, createdColumn],
  },
};
