import type { JsonObject } from "@kubewright/core/json";
import { type GoodKind, goodKind } from "./good-kind.js";

const nodeAffinity = {
  required: { nodeSelectorTerms: [{ matchExpressions: [{ key: "zone", operator: "In", values: ["a"] }] }] },
};

function volume(source: JsonObject, more: JsonObject = {}): JsonObject {
  return { spec: { capacity: { storage: "1Gi" }, accessModes: ["ReadWriteOnce"], ...source, ...more } };
}

/** Volumes, claims, and what makes them. */
export const goodStorage: readonly GoodKind[] = [
  goodKind({
    version: "v1",
    kind: "PersistentVolumeClaim",
    isProtected: true,
    isEffective: true,
    plural: "persistentvolumeclaims",
    objects: [
      { spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } } },
      {
        spec: {
          accessModes: ["ReadWriteMany", "ReadOnlyMany"],
          resources: { requests: { storage: "1Gi" }, limits: { storage: "2Gi" } },
          selector: { matchLabels: { a: "b" }, matchExpressions: [{ key: "k", operator: "NotIn", values: ["v"] }] },
          storageClassName: "fast",
          volumeMode: "Block",
          volumeName: "v",
          volumeAttributesClassName: "gold",
          dataSource: { apiGroup: "snapshot.storage.k8s.io", kind: "VolumeSnapshot", name: "s" },
        },
      },
      {
        spec: {
          accessModes: ["ReadWriteOncePod"],
          storageClassName: "",
          resources: { requests: { storage: "5Gi" } },
          dataSourceRef: { kind: "PersistentVolumeClaim", name: "other" },
        },
      },
    ],
    statuses: [
      {
        phase: "Bound",
        accessModes: ["ReadWriteOnce"],
        capacity: { storage: "1Gi" },
        allocatedResources: { storage: "1Gi" },
        allocatedResourceStatuses: { storage: "ControllerResizeInProgress" },
        conditions: [{ type: "Resizing", status: "True", lastProbeTime: "2026-01-01T00:00:00Z", reason: "r" }],
        currentVolumeAttributesClassName: "gold",
        modifyVolumeStatus: { status: "Pending", targetVolumeAttributesClassName: "gold" },
      },
    ],
  }),
  goodKind({
    version: "v1",
    kind: "PersistentVolume",
    isProtected: true,
    isEffective: true,
    plural: "persistentvolumes",
    clusterName: "{ns}-a",
    objects: [
      volume({ hostPath: { path: "/x", type: "DirectoryOrCreate" } }),
      volume(
        {
          csi: {
            driver: "d.example.com",
            volumeHandle: "h",
            readOnly: true,
            fsType: "ext4",
            volumeAttributes: { a: "b" },
            controllerPublishSecretRef: { name: "s", namespace: "n" },
            nodeStageSecretRef: { name: "s", namespace: "n" },
            nodePublishSecretRef: { name: "s", namespace: "n" },
            controllerExpandSecretRef: { name: "s", namespace: "n" },
            nodeExpandSecretRef: { name: "s", namespace: "n" },
          },
        },
        {
          accessModes: ["ReadWriteMany", "ReadOnlyMany"],
          persistentVolumeReclaimPolicy: "Delete",
          storageClassName: "fast",
          mountOptions: ["hard"],
          volumeMode: "Filesystem",
          volumeAttributesClassName: "gold",
          claimRef: { name: "c", namespace: "n", uid: "u", apiVersion: "v1", kind: "PersistentVolumeClaim" },
          nodeAffinity,
        },
      ),
      volume({ local: { path: "/x", fsType: "ext4" } }, { nodeAffinity, volumeMode: "Block" }),
      volume({ nfs: { server: "s", path: "/p", readOnly: true } }, { persistentVolumeReclaimPolicy: "Retain" }),
      volume({
        iscsi: {
          targetPortal: "10.0.0.1:3260",
          iqn: "iqn.2001-04.com.example:storage.x",
          lun: 1,
          chapAuthSession: true,
          secretRef: { name: "s" },
          initiatorName: "iqn.2001-04.com.example:i",
        },
      }),
      volume({ fc: { targetWWNs: ["a"], lun: 1, fsType: "ext4" } }),
    ],
    statuses: [{ phase: "Available", message: "m", reason: "r" }],
  }),
  goodKind({
    version: "storage.k8s.io/v1",
    kind: "StorageClass",
    plural: "storageclasses",
    clusterName: "{ns}-a",
    objects: [
      { provisioner: "example.com/p" },
      {
        provisioner: "example.com/p",
        parameters: { a: "b" },
        reclaimPolicy: "Retain",
        volumeBindingMode: "WaitForFirstConsumer",
        allowVolumeExpansion: true,
        mountOptions: ["hard"],
        allowedTopologies: [{ matchLabelExpressions: [{ key: "zone", values: ["a", "b"] }] }],
      },
    ],
  }),
  goodKind({
    version: "storage.k8s.io/v1",
    kind: "VolumeAttributesClass",
    isProtected: true,
    isEffective: true,
    plural: "volumeattributesclasses",
    clusterName: "{ns}-a",
    objects: [{ driverName: "d.example.com", parameters: { iops: "5" } }],
  }),
  goodKind({
    version: "storage.k8s.io/v1",
    kind: "CSIDriver",
    plural: "csidrivers",
    clusterName: "{ns}-a.example.com",
    objects: [
      { spec: {} },
      {
        spec: {
          attachRequired: false,
          podInfoOnMount: true,
          volumeLifecycleModes: ["Persistent", "Ephemeral"],
          storageCapacity: true,
          fsGroupPolicy: "File",
          tokenRequests: [{ audience: "a", expirationSeconds: 3600 }, { audience: "b" }],
          requiresRepublish: true,
          seLinuxMount: true,
          nodeAllocatableUpdatePeriodSeconds: 20,
        },
      },
    ],
  }),
  goodKind({
    version: "storage.k8s.io/v1",
    kind: "CSINode",
    plural: "csinodes",
    clusterName: "{ns}-a",
    objects: [
      { spec: { drivers: [] } },
      {
        spec: {
          drivers: [
            { name: "d.example.com", nodeID: "n", topologyKeys: ["zone"], allocatable: { count: 3 } },
            { name: "e.example.com", nodeID: "m" },
          ],
        },
      },
    ],
  }),
  goodKind({
    version: "storage.k8s.io/v1",
    kind: "CSIStorageCapacity",
    plural: "csistoragecapacities",
    objects: [
      { storageClassName: "fast" },
      {
        storageClassName: "fast",
        capacity: "1Gi",
        maximumVolumeSize: "500Mi",
        nodeTopology: { matchLabels: { zone: "a" }, matchExpressions: [{ key: "k", operator: "Exists" }] },
      },
    ],
  }),
  goodKind({
    version: "storage.k8s.io/v1",
    kind: "VolumeAttachment",
    plural: "volumeattachments",
    clusterName: "{ns}-a",
    objects: [
      { spec: { attacher: "d.example.com", nodeName: "n", source: { persistentVolumeName: "v" } } },
      {
        spec: {
          attacher: "d.example.com",
          nodeName: "n",
          source: {
            inlineVolumeSpec: {
              accessModes: ["ReadWriteOnce"],
              csi: { driver: "d.example.com", volumeHandle: "h" },
            },
          },
        },
      },
    ],
    statuses: [
      {
        attached: true,
        attachmentMetadata: { a: "b" },
        attachError: { message: "m", time: "2026-01-01T00:00:00Z", errorCode: 3 },
        detachError: { message: "m" },
      },
    ],
  }),
];
