import type { ResourceSlice } from "kubewright/k8s/resource/v1";
import { ageColumn, nameColumn } from "../../columns.js";
import { differsOutsideStatus } from "../../same-object.js";
import type { Strategy } from "../../strategy.js";
import { shared } from "./device-requests.js";

/** ResourceSlice. */
export const resourceSliceStrategy: Strategy<ResourceSlice> = {
  ...shared,
  isNewGeneration: differsOutsideStatus,
  selectableFields: {
    "spec.nodeName": (object) => object.spec?.nodeName ?? "",
    "spec.driver": (object) => object.spec?.driver ?? "",
  },
  unknownFieldLabel: (label) => `field label not supported for resource.k8s.io/v1, Kind=ResourceSlice: ${label}`,
  table: {
    columns: [
      nameColumn,
      { name: "Node", type: "string", cell: (object) => object.spec?.nodeName ?? "" },
      { name: "Driver", type: "string", cell: (object) => object.spec?.driver ?? "" },
      { name: "Pool", type: "string", cell: (object) => object.spec?.pool?.name ?? "" },
      ageColumn,
    ],
  },
};
