import type { PersistentVolume, PersistentVolumeClaim } from "kubewright/k8s/core/v1";
import type { Decoded } from "../../../decoded.js";

/** The deprecated annotation for the name of the StorageClass. */
export const classAnnotation = "volume.beta.kubernetes.io/storage-class";

/** The StorageClass of a PersistentVolume or PersistentVolumeClaim. */
export function classOf({ metadata, spec }: Decoded<PersistentVolume | PersistentVolumeClaim>): string {
  return metadata?.annotations?.[classAnnotation] || (spec?.storageClassName ?? "");
}
