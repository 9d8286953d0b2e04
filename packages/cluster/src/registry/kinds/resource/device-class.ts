import { ageColumn, nameColumn } from "../../columns.js";
import { differsOutsideStatus } from "../../same-object.js";
import type { Strategy } from "../../strategy.js";
import { shared } from "./device-requests.js";

/** DeviceClass. The specs of DRA kinds have defaults and columns but no validation. */
export const deviceClassStrategy: Strategy = {
  ...shared,
  isNewGeneration: differsOutsideStatus,
  table: {
    columns: [nameColumn, ageColumn],
  },
};
