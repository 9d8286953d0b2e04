import type { Quantity } from "@kubewright/core/quantity";
import type { PersistentVolumeClaim } from "kubewright/k8s/core/v1";
import type { Decoded } from "../../../decoded.js";
import { quantityOf } from "../../../validation/index.js";

/** The storage that a PersistentVolumeClaim requests. */
export function requestedStorage(claim: Decoded<PersistentVolumeClaim>): Quantity {
  return quantityOf(claim.spec?.resources?.requests?.["storage"] ?? "0");
}
