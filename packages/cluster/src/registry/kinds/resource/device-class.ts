import type { DeviceClass } from "kubewright/k8s/resource/v1";
import { ageColumn, nameColumn } from "../../columns.js";
import { differsOutsideStatus } from "../../same-object.js";
import type { Strategy } from "../../strategy.js";
import { shared } from "./device-requests.js";

/** DeviceClass. DRA kinds have defaults and printer columns, but their specs are not validated. */
export const deviceClassStrategy: Strategy<DeviceClass> = {
  ...shared,
  isNewGeneration: differsOutsideStatus,
  table: {
    columns: [nameColumn, ageColumn],
  },
};
