import { defineResource, type ObjectOf, z } from "kubewright";

/** A Database runs as a StatefulSet with a password, and is backed up by Jobs. */
export const Database = defineResource({
  group: "db.example.com",
  kind: "Database",
  shortNames: ["dbs"],
  versions: {
    v1: {
      spec: z.object({
        image: z.string().min(1),
        replicas: z.int32().min(1).default(1),
        storage: z.string().default("1Gi"),
        /** Secret with the key `password`. A password is generated if it is left out. */
        passwordSecret: z.string().optional(),
        backup: z
          .object({ everyHours: z.int32().min(1), keep: z.int32().min(1).default(3), image: z.string().min(1) })
          .optional(),
      }),
      status: z.object({
        readyReplicas: z.int32().default(0),
        lastBackupTime: z.iso.datetime().optional(),
        lastSuccessfulBackup: z.string().optional(),
      }),
      conditions: { Ready: ["Available", "Progressing", "PasswordMissing"] },
      printerColumns: [
        { name: "Ready", type: "string", jsonPath: '.status.conditions[?(@.type=="Ready")].reason' },
        { name: "Backup", type: "date", jsonPath: ".status.lastBackupTime" },
      ],
    },
  },
});
export type Database = ObjectOf<typeof Database>;
