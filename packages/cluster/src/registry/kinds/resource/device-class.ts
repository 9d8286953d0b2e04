import { ageColumn, nameColumn } from "../../columns.js";
import type { Strategy } from "../../resource.js";
import { shared } from "./device-requests.js";

/** Kinds of devices. Of these kinds the defaults and the columns are there; what a spec says is not checked. */
export const deviceClassStrategy: Strategy = {
  ...shared,
  tracksGeneration: true,
  columns: [nameColumn, ageColumn],
};
