import type { PersistentVolume, PersistentVolumeClaim } from "kubewright/k8s/core/v1";
import type { Decoded } from "../../../decoded.js";

/** The annotation in which older clients name the StorageClass. */
export const classAnnotation = "volume.beta.kubernetes.io/storage-class";

/** The StorageClass of a PersistentVolume or PersistentVolumeClaim. */
export function classOf({ metadata, spec }: Decoded<PersistentVolume | PersistentVolumeClaim>): string {
  return metadata?.annotations?.[classAnnotation] || (spec?.storageClassName ?? "");
}
