import type { ReadOf } from "kubewright";
import type { Node, PersistentVolumeSpec } from "kubewright/k8s/core/v1";
import type { ReadPv, ReadPvc } from "../../volume-binding/index.js";

/** Where a provisioner stores what pods write. */
export interface VolumeStore {
  /** Name of its controller. */
  readonly name: string;
  /** In StorageClasses, and in the PersistentVolumes that it creates. */
  readonly provisioner: string;
  /** Further provisioners of StorageClasses whose PVCs it serves on its nodes. */
  readonly alsoServes?: readonly string[];
  /** Whether it provisions the PVCs of pods on a node; undefined: with immediate binding. */
  hasNode(node: ReadOf<typeof Node> | undefined): boolean;
  /** Why it cannot provision a PVC; undefined if it can. */
  rejection?(claim: ReadPvc): string | undefined;
  /** Creates the storage of a PersistentVolume with this name. */
  create(volume: string, claim: ReadPvc): Promise<Partial<PersistentVolumeSpec>>;
  /** Whether a PersistentVolume of the provisioner is in this store. */
  has(volume: ReadPv): boolean;
  /** Removes the storage of a PersistentVolume, if it is there. */
  remove(volume: string): Promise<void>;
}
