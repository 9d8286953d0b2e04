// Written by tools/api-data from Kubernetes v1.36.4. Do not edit.
import { defineKind, type Kind, type ReadMeta } from "../../definition/index.js";
import type { PersistentVolumeSpec, TopologySelectorTerm } from "../core/v1.gen.js";
import type { LabelSelector } from "../meta/v1.gen.js";

/** An object of kind CSIDriver in storage.k8s.io/v1. */
export interface CSIDriver {
  apiVersion: "storage.k8s.io/v1";
  kind: "CSIDriver";
  metadata: ReadMeta;
  spec: CSIDriverSpec;
}
interface CSIDriverTypes { read: CSIDriver; write: { spec: CSIDriverSpec; }; status: never; conditions: never }
/** The kind CSIDriver in storage.k8s.io/v1. */
export const CSIDriver: Kind<"storage.k8s.io/v1/CSIDriver", "Cluster", CSIDriverTypes> = /* @__PURE__ */ defineKind({ group: "storage.k8s.io", version: "v1", kind: "CSIDriver", plural: "csidrivers", scope: "Cluster" });

export interface CSIDriverSpec {
  attachRequired?: boolean | undefined;
  fsGroupPolicy?: string | undefined;
  nodeAllocatableUpdatePeriodSeconds?: number | undefined;
  podInfoOnMount?: boolean | undefined;
  preventPodSchedulingIfMissing?: boolean | undefined;
  requiresRepublish?: boolean | undefined;
  seLinuxMount?: boolean | undefined;
  serviceAccountTokenInSecrets?: boolean | undefined;
  storageCapacity?: boolean | undefined;
  tokenRequests?: TokenRequest[] | undefined;
  volumeLifecycleModes?: string[] | undefined;
}

/** An object of kind CSINode in storage.k8s.io/v1. */
export interface CSINode {
  apiVersion: "storage.k8s.io/v1";
  kind: "CSINode";
  metadata: ReadMeta;
  spec: CSINodeSpec;
}
interface CSINodeTypes { read: CSINode; write: { spec: CSINodeSpec; }; status: never; conditions: never }
/** The kind CSINode in storage.k8s.io/v1. */
export const CSINode: Kind<"storage.k8s.io/v1/CSINode", "Cluster", CSINodeTypes> = /* @__PURE__ */ defineKind({ group: "storage.k8s.io", version: "v1", kind: "CSINode", plural: "csinodes", scope: "Cluster" });

export interface CSINodeDriver {
  allocatable?: VolumeNodeResources | undefined;
  name: string;
  nodeID: string;
  topologyKeys?: string[] | undefined;
}

export interface CSINodeSpec {
  drivers: CSINodeDriver[];
}

/** An object of kind CSIStorageCapacity in storage.k8s.io/v1. */
export interface CSIStorageCapacity {
  apiVersion: "storage.k8s.io/v1";
  kind: "CSIStorageCapacity";
  metadata: ReadMeta;
  capacity?: string | number | undefined;
  maximumVolumeSize?: string | number | undefined;
  nodeTopology?: LabelSelector | undefined;
  storageClassName: string;
}
interface CSIStorageCapacityTypes { read: CSIStorageCapacity; write: { capacity?: string | number | undefined; maximumVolumeSize?: string | number | undefined; nodeTopology?: LabelSelector | undefined; storageClassName: string; }; status: never; conditions: never }
/** The kind CSIStorageCapacity in storage.k8s.io/v1. */
export const CSIStorageCapacity: Kind<"storage.k8s.io/v1/CSIStorageCapacity", "Namespaced", CSIStorageCapacityTypes> = /* @__PURE__ */ defineKind({ group: "storage.k8s.io", version: "v1", kind: "CSIStorageCapacity", plural: "csistoragecapacities", scope: "Namespaced" });

/** An object of kind StorageClass in storage.k8s.io/v1. */
export interface StorageClass {
  apiVersion: "storage.k8s.io/v1";
  kind: "StorageClass";
  metadata: ReadMeta;
  allowVolumeExpansion?: boolean | undefined;
  allowedTopologies?: TopologySelectorTerm[] | undefined;
  mountOptions?: string[] | undefined;
  parameters?: Record<string, string> | undefined;
  provisioner: string;
  reclaimPolicy?: "Delete" | "Recycle" | "Retain" | undefined;
  volumeBindingMode?: "Immediate" | "WaitForFirstConsumer" | undefined;
}
interface StorageClassTypes { read: StorageClass; write: { allowVolumeExpansion?: boolean | undefined; allowedTopologies?: TopologySelectorTerm[] | undefined; mountOptions?: string[] | undefined; parameters?: Record<string, string> | undefined; provisioner: string; reclaimPolicy?: "Delete" | "Recycle" | "Retain" | undefined; volumeBindingMode?: "Immediate" | "WaitForFirstConsumer" | undefined; }; status: never; conditions: never }
/** The kind StorageClass in storage.k8s.io/v1. */
export const StorageClass: Kind<"storage.k8s.io/v1/StorageClass", "Cluster", StorageClassTypes> = /* @__PURE__ */ defineKind({ group: "storage.k8s.io", version: "v1", kind: "StorageClass", plural: "storageclasses", scope: "Cluster" });

export interface TokenRequest {
  audience: string;
  expirationSeconds?: number | undefined;
}

/** An object of kind VolumeAttachment in storage.k8s.io/v1. */
export interface VolumeAttachment {
  apiVersion: "storage.k8s.io/v1";
  kind: "VolumeAttachment";
  metadata: ReadMeta;
  spec: VolumeAttachmentSpec;
  status?: VolumeAttachmentStatus;
}
interface VolumeAttachmentTypes { read: VolumeAttachment; write: { spec: VolumeAttachmentSpec; }; status: VolumeAttachmentStatus; conditions: never }
/** The kind VolumeAttachment in storage.k8s.io/v1. */
export const VolumeAttachment: Kind<"storage.k8s.io/v1/VolumeAttachment", "Cluster", VolumeAttachmentTypes> = /* @__PURE__ */ defineKind({ group: "storage.k8s.io", version: "v1", kind: "VolumeAttachment", plural: "volumeattachments", scope: "Cluster" });

export interface VolumeAttachmentSource {
  inlineVolumeSpec?: PersistentVolumeSpec | undefined;
  persistentVolumeName?: string | undefined;
}

export interface VolumeAttachmentSpec {
  attacher: string;
  nodeName: string;
  source: VolumeAttachmentSource;
}

export interface VolumeAttachmentStatus {
  attachError?: VolumeError | undefined;
  attached: boolean;
  attachmentMetadata?: Record<string, string> | undefined;
  detachError?: VolumeError | undefined;
}

/** An object of kind VolumeAttributesClass in storage.k8s.io/v1. */
export interface VolumeAttributesClass {
  apiVersion: "storage.k8s.io/v1";
  kind: "VolumeAttributesClass";
  metadata: ReadMeta;
  driverName: string;
  parameters?: Record<string, string> | undefined;
}
interface VolumeAttributesClassTypes { read: VolumeAttributesClass; write: { driverName: string; parameters?: Record<string, string> | undefined; }; status: never; conditions: never }
/** The kind VolumeAttributesClass in storage.k8s.io/v1. */
export const VolumeAttributesClass: Kind<"storage.k8s.io/v1/VolumeAttributesClass", "Cluster", VolumeAttributesClassTypes> = /* @__PURE__ */ defineKind({ group: "storage.k8s.io", version: "v1", kind: "VolumeAttributesClass", plural: "volumeattributesclasses", scope: "Cluster" });

export interface VolumeError {
  errorCode?: number | undefined;
  message?: string | undefined;
  time?: string | undefined;
}

export interface VolumeNodeResources {
  count?: number | undefined;
}
