import { defineResource, k, type ObjectOf, type ReadOf, z } from "kubewright";
import { podPolicy } from "./pod-policy.js";

/** `3.5.21`, `v3.5.21` or `3.6.0-rc.1`. */
const versionPattern = /^v?[0-9]{1,4}\.[0-9]{1,4}\.[0-9]{1,4}(-[0-9A-Za-z.-]{1,40})?$/;

const secretName = z.string().min(1).max(253);

const tls = z.object({
  static: k.rules(
    z.object({
      member: z
        .object({
          /** Secret with `peer.crt`, `peer.key` and `peer-ca.crt`: TLS between members. */
          peerSecret: secretName.optional(),
          /** Secret with `server.crt`, `server.key` and `server-ca.crt`: TLS for clients. */
          serverSecret: secretName.optional(),
        })
        .optional(),
      /** Secret with `etcd-client.crt`, `etcd-client.key` and `etcd-client-ca.crt`, with which the operator connects. */
      operatorSecret: secretName.optional(),
    }),
    {
      rule: "has(self.operatorSecret) == (has(self.member) && has(self.member.serverSecret))",
      message: "operatorSecret and member.serverSecret are given together or not at all",
    },
  ),
});

/** Version numbers of a string in CEL: `[major, minor, patch]`, compared as one number. Components have at most four digits. */
const numbers = (version: string): string => `${version}.replace('v', '').split('-')[0].split('.')`;
const rank = (version: string): string =>
  `(int(${numbers(version)}[0]) * 100000000 + int(${numbers(version)}[1]) * 10000 + int(${numbers(version)}[2]))`;
const minor = (version: string): string => `(int(${numbers(version)}[0]) * 10000 + int(${numbers(version)}[1]))`;

const running = "has(self.status) && has(self.status.serverVersion)";
const isCurrent = "has(self.status.currentVersion) && self.spec.version.replace('v', '') == self.status.currentVersion";
/** Of an update that leaves the version, for objects that were stored before they became invalid. */
const isUnchanged = "self.spec.version == oldSelf.spec.version";

/** A cluster of etcd members, which the operator creates, scales, upgrades, repairs and recovers. */
export const EtcdCluster = defineResource({
  group: "etcd.database.coreos.com",
  kind: "EtcdCluster",
  shortNames: ["etcd"],
  versions: {
    v1beta2: {
      spec: z.object({
        /** Number of members. Odd numbers tolerate the most failures: 3 tolerates one, 5 two, 7 three. */
        size: z.int32().min(1).max(7),
        /** Repository of the image; its tag is `v` and the version. */
        repository: z.string().min(1).max(255).default("quay.io/coreos/etcd"),
        version: z.string().regex(versionPattern).max(64).default("3.2.13"),
        /** The operator changes nothing while it is true. */
        paused: z.boolean().optional(),
        pod: podPolicy.optional(),
        TLS: tls.optional(),
        /** The volume of each member. */
        storage: z
          .object({
            /** True: data is in the Pod and is lost with it. False: a PersistentVolumeClaim. Without a value: a PersistentVolumeClaim if the cluster has a default StorageClass. */
            ephemeral: z.boolean().optional(),
            size: k.quantity().default("1Gi"),
            storageClassName: z.string().max(253).optional(),
          })
          .optional(),
        /** What happens to members whose Pods were created with other placement rules (`nodeSelector`, `affinity`, `tolerations`): a PersistentVolume pins a member to its node, so it is replaced by a new one. */
        onPlacementChange: z.enum(["Keep", "ReplaceMembers"]).default("Keep"),
        /** What happens when no member and no volume is left. `RestoreBackup`: the newest snapshot of an EtcdBackup of this cluster is restored, by an EtcdRestore; what was written after it is lost. */
        onDataLoss: z.enum(["RestoreBackup", "Wait"]).default("RestoreBackup"),
        /** Limit of the database, in bytes; etcd rejects writes above it. Default: etcd's, 2 GiB. */
        quotaBackendBytes: z.int().min(16_777_216).max(8_589_934_592).optional(),
        /** What happens when a member reaches the quota. `Reclaim`: history is compacted, members are defragmented, and the alarm is disarmed once there is space. */
        onQuotaExceeded: z.enum(["Reclaim", "Report"]).default("Reclaim"),
        /** Which history etcd keeps. Default: all. */
        compaction: z
          .object({
            mode: z.enum(["Periodic", "Revision"]).default("Periodic"),
            retention: z
              .string()
              .regex(/^[0-9]+[hms]?$/)
              .max(20),
          })
          .optional(),
        /** When members are defragmented, one after the other, the leader last. */
        defragmentation: z
          .object({
            disabled: z.boolean().optional(),
            /** Share of the database file that is free. */
            minFreePercent: z.int32().min(1).max(99).default(50),
            /** Smaller database files are left. */
            minBytes: z.int().min(0).default(104_857_600),
          })
          .optional(),
      }),
      status: z.object({
        phase: z.enum(["", "Creating", "Running", "Failed"]).optional(),
        reason: z.string().optional(),
        controlPaused: z.boolean().optional(),
        size: z.int32().default(0),
        serviceName: z.string().optional(),
        clientPort: z.int32().optional(),
        members: z
          .object({ ready: z.array(z.string()).optional(), unready: z.array(z.string()).optional() })
          .optional(),
        /** The lowest version of the members, from the annotation `etcd.version` of their Pods. */
        currentVersion: z.string().max(64).optional(),
        /** The version of an upgrade in progress. */
        targetVersion: z.string().max(64).optional(),
        /** The lowest version that the members report. It differs from `currentVersion` if an image contains another etcd than its tag says. */
        serverVersion: z.string().max(64).optional(),
        /** How often the cluster was started again from a data volume or a backup, or empty. */
        recoveries: z.int32().optional(),
        /** Since when no member and no volume has been left. */
        nothingLeftSince: z.iso.datetime().optional(),
        /** A recovery in progress: the decision, recorded before anything is deleted. */
        recovery: z
          .object({
            /** The member whose data is kept. */
            member: z.string(),
            revision: z.string(),
            /** Members whose data is given up. */
            discarded: z.array(z.string()),
            /** The cluster of one member exists; what is left is to start it without the flag. */
            isForced: z.boolean().optional(),
          })
          .optional(),
      }),
      conditions: {
        Available: ["QuorumHealthy", "Creating", "QuorumLost", "NoMembers", "Unreachable"],
        Recovering: [
          "RestartingMember",
          "ReplacingMember",
          "WaitingForMembers",
          "ForcingNewCluster",
          "RestoringBackup",
          "NoDataLeft",
        ],
        Scaling: ["AddingMember", "CatchingUp", "RemovingMember"],
        Upgrading: ["UpgradingMember", "WaitingForMember"],
        /** What the spec asks for and the operator does not do. */
        Blocked: ["SecretMissing", "VersionNotSupported", "UnsafeChange", "InvalidName"],
        /** Acknowledged writes may be lost: which, and when. */
        DataLost: ["ForcedNewCluster", "RestoredFromBackup", "StartedEmpty"],
        /** Members have no PersistentVolume. */
        Ephemeral: ["OptedOut", "NoDefaultStorageClass"],
        QuotaExceeded: ["Reclaiming", "WritesRejected"],
        Defragmenting: ["DefragmentingMember"],
        PlacementOutdated: ["PinnedByVolume", "ReplacingMembers"],
        Paused: ["SpecPaused"],
      },
      rules: [
        {
          rule: "size(self.metadata.name) <= 52",
          message: "the name must have at most 52 characters: names of members are longer by 11",
        },
        {
          rule: `!(${running}) || (${isUnchanged}) || (${isCurrent}) || ${rank("self.spec.version")} >= ${rank("self.status.serverVersion")}`,
          messageExpression:
            "'etcd cannot be downgraded: the members run ' + self.status.serverVersion + '. Restore a backup into a cluster of the older version instead'",
          message: "etcd cannot be downgraded",
          fieldPath: ".spec.version",
        },
        {
          rule: `!(${running}) || (${isUnchanged}) || (${isCurrent}) || ${minor("self.spec.version")} <= ${minor("self.status.serverVersion")} + 1`,
          messageExpression:
            "'etcd is upgraded by one minor version at a time: the members run ' + self.status.serverVersion",
          message: "etcd is upgraded by one minor version at a time",
          fieldPath: ".spec.version",
        },
      ],
      printerColumns: [
        { name: "Size", type: "integer", jsonPath: ".spec.size" },
        { name: "Version", type: "string", jsonPath: ".status.currentVersion" },
        { name: "Phase", type: "string", jsonPath: ".status.phase" },
        { name: "Available", type: "string", jsonPath: '.status.conditions[?(@.type=="Available")].status' },
        { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" },
      ],
    },
  },
});
export type EtcdCluster = ObjectOf<typeof EtcdCluster>;
/** An EtcdCluster as a run reads it. */
export type ReadEtcdCluster = ReadOf<typeof EtcdCluster>;
