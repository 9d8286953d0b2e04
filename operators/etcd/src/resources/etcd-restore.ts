import { defineResource, k, type ObjectOf, type ReadOf, z } from "kubewright";
import { backupSources, sourceRule, storageTypes } from "./backup-source.js";

/** Restores a snapshot into an EtcdCluster: the one whose spec is taken, which is replaced, or a new one. */
export const EtcdRestore = defineResource({
  group: "etcd.database.coreos.com",
  kind: "EtcdRestore",
  versions: {
    v1beta2: {
      spec: k.rules(
        z.object({
          backupStorageType: z.enum(storageTypes),
          ...backupSources,
          etcdCluster: z.object({
            /** The EtcdCluster of the same namespace whose spec is taken. */
            name: z.string().min(1).max(52),
            /** The uid of the EtcdCluster whose spec is taken: one of that name that was created since is not replaced. */
            uid: z.string().max(64).optional(),
            /** The EtcdCluster that is created. Default: the same name, which replaces that cluster. */
            newName: z
              .string()
              .regex(/^[a-z]([-a-z0-9]*[a-z0-9])?$/)
              .max(52)
              .optional(),
          }),
        }),
        sourceRule("backupStorageType"),
      ),
      status: z.object({
        succeeded: z.boolean().default(false),
        reason: z.string().optional(),
        /** Of the cluster whose spec is taken: recorded before it is deleted. */
        source: z
          .object({
            uid: z.string(),
            labels: z.record(z.string(), z.string()).optional(),
            annotations: z.record(z.string(), z.string()).optional(),
            spec: z.looseObject({}),
          })
          .optional(),
        /** Of the cluster that was created. */
        restoredUid: z.string().optional(),
        /** The snapshot: the one that the source names, or the newest one of a periodic backup with this path. */
        snapshot: z.string().max(2_048).optional(),
        /** The revision of the restored data. */
        etcdRevision: k.int64().optional(),
      }),
      conditions: {
        Ready: [
          "Succeeded",
          "DeletingCluster",
          "CreatingCluster",
          "RestoringSnapshot",
          "WaitingForMembers",
          "Failed",
          "StorageNotSupported",
          "SecretMissing",
          "SnapshotMissing",
          "ClusterMissing",
          "NameTaken",
        ],
      },
      rules: [
        {
          rule: "has(self.spec.etcdCluster.newName) || self.metadata.name == self.spec.etcdCluster.name",
          message:
            "the name of an EtcdRestore must equal spec.etcdCluster.name, unless spec.etcdCluster.newName is given",
        },
      ],
      printerColumns: [
        { name: "Cluster", type: "string", jsonPath: ".spec.etcdCluster.name" },
        { name: "Ready", type: "string", jsonPath: '.status.conditions[?(@.type=="Ready")].reason' },
      ],
    },
  },
});
export type EtcdRestore = ObjectOf<typeof EtcdRestore>;
export type ReadEtcdRestore = ReadOf<typeof EtcdRestore>;
