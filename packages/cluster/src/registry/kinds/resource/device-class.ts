import { ageColumn, nameColumn } from "../../columns.js";
import type { Strategy } from "../../resource.js";
import { shared } from "./device-requests.js";

/** DeviceClass. The specs of DRA kinds have defaults and columns but no validation. */
export const deviceClassStrategy: Strategy = {
  ...shared,
  tracksGeneration: true,
  columns: [nameColumn, ageColumn],
};
