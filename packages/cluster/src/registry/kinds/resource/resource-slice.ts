import { ageColumn, nameColumn } from "../../columns.js";
import { objectAt, textAt } from "../../draft.js";
import { differsOutsideStatus } from "../../same-object.js";
import type { Strategy } from "../../strategy.js";
import { shared } from "./device-requests.js";

/** ResourceSlice. */
export const resourceSliceStrategy: Strategy = {
  ...shared,
  isNewGeneration: differsOutsideStatus,
  selectableFields: {
    "spec.nodeName": (object) => textAt(objectAt(object, "spec"), "nodeName"),
    "spec.driver": (object) => textAt(objectAt(object, "spec"), "driver"),
  },
  table: {
    columns: [
      nameColumn,
      { name: "Node", type: "string", cell: (object) => textAt(objectAt(object, "spec"), "nodeName") },
      { name: "Driver", type: "string", cell: (object) => textAt(objectAt(object, "spec"), "driver") },
      { name: "Pool", type: "string", cell: (object) => textAt(objectAt(objectAt(object, "spec"), "pool"), "name") },
      ageColumn,
    ],
  },
};
