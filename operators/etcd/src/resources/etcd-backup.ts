import { defineResource, k, type ObjectOf, type ReadOf, z } from "kubewright";
import { backupSources, sourceRule, storageTypes } from "./backup-source.js";

/** A snapshot of an etcd cluster, taken once or periodically. */
export const EtcdBackup = defineResource({
  group: "etcd.database.coreos.com",
  kind: "EtcdBackup",
  versions: {
    v1beta2: {
      spec: k.rules(
        z.object({
          /** Client URLs of the members, or of the client Service. The member with the highest revision is used. */
          etcdEndpoints: z
            .array(
              z
                .string()
                .regex(/^https?:\/\//)
                .max(512),
            )
            .min(1)
            .max(32),
          storageType: z.enum(storageTypes),
          ...backupSources,
          /** Secret with `etcd-client.crt`, `etcd-client.key` and `etcd-client-ca.crt`. */
          clientTLSSecret: z.string().max(253).optional(),
          backupPolicy: z
            .object({
              timeoutInSecond: z.int32().min(1).max(86_400).default(60),
              /** 0: once. */
              backupIntervalInSecond: z.int32().min(0).default(0),
              /** The oldest above this number are deleted. 0: none. */
              maxBackups: z.int32().min(0).default(0),
            })
            .optional(),
        }),
        sourceRule("storageType"),
      ),
      status: z.object({
        succeeded: z.boolean().default(false),
        /** Why the last attempt failed. */
        Reason: z.string().optional(),
        etcdVersion: z.string().optional(),
        etcdRevision: k.int64().optional(),
        lastSuccessDate: z.iso.datetime().optional(),
        /** When the last backup began; the same for its repeated attempts. */
        lastExecutionDate: z.iso.datetime().optional(),
        /** Attempts of the last backup that failed. */
        failedAttempts: z.int32().optional(),
        /** When the last of them failed. */
        lastFailureDate: z.iso.datetime().optional(),
        /** Names of the stored snapshots, the oldest first. */
        backups: z.array(z.string()).max(1_000).optional(),
      }),
      conditions: { Ready: ["Succeeded", "Running", "Failed", "StorageNotSupported", "SecretMissing"] },
      printerColumns: [
        { name: "Ready", type: "string", jsonPath: '.status.conditions[?(@.type=="Ready")].reason' },
        { name: "Revision", type: "integer", jsonPath: ".status.etcdRevision" },
        { name: "Last success", type: "date", jsonPath: ".status.lastSuccessDate" },
      ],
    },
  },
});
export type EtcdBackup = ObjectOf<typeof EtcdBackup>;
export type ReadEtcdBackup = ReadOf<typeof EtcdBackup>;
