import type { DeviceClass } from "kubewright/k8s/resource/v1";
import { ageColumn, nameColumn } from "../../columns.js";
import { differsOutsideStatus } from "../../same-object.js";
import type { Strategy } from "../../strategy.js";
import { shared } from "./device-requests.js";

/** DeviceClass. The specs of DRA kinds have defaults and columns but no validation. */
export const deviceClassStrategy: Strategy<DeviceClass> = {
  ...shared,
  isNewGeneration: differsOutsideStatus,
  table: {
    columns: [nameColumn, ageColumn],
  },
};
