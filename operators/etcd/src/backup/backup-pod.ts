import { createHash } from "node:crypto";
import type { ReadOf } from "kubewright";
import { z } from "kubewright";
import type { Pod, PodSpec } from "kubewright/k8s/core/v1";
import type { ReadEtcdBackup } from "../resources/etcd-backup.js";
import type { StoredSnapshot } from "./take-snapshot.js";

type ReadPod = ReadOf<typeof Pod>;

/** The labels of Pods that write snapshots into a PersistentVolumeClaim. */
export const backupPodLabels = { app: "etcd-backup" } as const;

/** Environment variable of such a Pod, with a {@link BackupPodRequest} as JSON. */
export const backupPodVariable = "ETCD_BACKUP_REQUEST";

export const backupPodRequest = z.object({
  endpoints: z.array(z.string()).min(1),
  folder: z.string(),
  path: z.string(),
  date: z.iso.datetime(),
  maxBackups: z.int(),
  timeoutSeconds: z.int(),
  /** Folder with the files of the client TLS Secret. */
  tlsFolder: z.string().optional(),
});
export type BackupPodRequest = z.infer<typeof backupPodRequest>;

const podResult = z.object({
  name: z.string(),
  revision: z.string().regex(/^\d{1,19}$/),
  etcdVersion: z.string(),
  backups: z.array(z.string()),
});

/** A termination message has at most 4,096 bytes. */
const maxReportedBackups = 20;
/** How long a Pod may take to be scheduled and started, beside the time of the backup. */
const startSeconds = 120;
const backupFolder = "/var/backup";
const tlsFolder = "/etc/etcdtls/operator/etcd-tls";

/** What a Pod writes as its termination message when it has succeeded. */
export function podReport({ name, revision, etcdVersion, backups }: StoredSnapshot): string {
  return JSON.stringify({ name, revision: String(revision), etcdVersion, backups: backups.slice(-maxReportedBackups) });
}

/** The name of the Pod of one attempt. */
export function backupPodName({ metadata: { name, uid } }: ReadEtcdBackup, date: Date, failedAttempts: number): string {
  const attempt = createHash("sha256").update(`${uid} ${date.toISOString()} ${failedAttempts}`).digest("hex");
  return `${name.slice(0, 50).replace(/[^a-z0-9-]/g, "-")}-${attempt.slice(0, 10)}`;
}

/** A Pod that mounts the PersistentVolumeClaim and stores a snapshot there. */
export function backupPodSpec(
  { spec }: ReadEtcdBackup,
  {
    claimName,
    path,
    date,
    image,
  }: { readonly claimName: string; readonly path: string; readonly date: Date; readonly image: string },
): PodSpec {
  const { timeoutInSecond = 60, maxBackups = 0 } = spec.backupPolicy ?? {};
  const secretName = spec.clientTLSSecret;
  const request: BackupPodRequest = {
    endpoints: [...spec.etcdEndpoints],
    folder: backupFolder,
    path,
    date: date.toISOString(),
    maxBackups,
    timeoutSeconds: timeoutInSecond,
    ...(secretName && { tlsFolder }),
  };
  return {
    restartPolicy: "Never",
    automountServiceAccountToken: false,
    activeDeadlineSeconds: timeoutInSecond + startSeconds,
    // Volumes of many providers belong to root.
    securityContext: { runAsUser: 0, runAsGroup: 0 },
    containers: [
      {
        name: "backup",
        image,
        command: ["etcd-operator", "save-snapshot"],
        env: [{ name: backupPodVariable, value: JSON.stringify(request) }],
        volumeMounts: [
          { name: "backup", mountPath: backupFolder },
          ...(secretName ? [{ name: "tls", mountPath: tlsFolder, readOnly: true }] : []),
        ],
      },
    ],
    volumes: [
      { name: "backup", persistentVolumeClaim: { claimName } },
      ...(secretName ? [{ name: "tls", secret: { secretName } }] : []),
    ],
  };
}

/** What became of a Pod; undefined while it runs. Throws if it has failed, or does not start. */
export function backupPodResult(pod: ReadPod, timeoutSeconds: number, nowMs: number): StoredSnapshot | undefined {
  const { phase, reason, message, conditions = [], containerStatuses: [container] = [] } = pod.status ?? {};
  const output = container?.state?.terminated?.message;
  if (phase === "Succeeded") {
    const { revision, ...result } = podResult.parse(JSON.parse(output ?? ""));
    return { ...result, revision: BigInt(revision) };
  }
  if (phase === "Failed") throw new Error(output ?? message ?? reason ?? "the Pod has failed");
  const ageSeconds = (nowMs - Date.parse(pod.metadata.creationTimestamp ?? "")) / 1_000;
  if (ageSeconds <= timeoutSeconds + startSeconds) return undefined;
  const waiting = container?.state?.waiting;
  const why = waiting?.message ?? waiting?.reason ?? conditions.find(({ status }) => status === "False")?.message;
  throw new Error(`Pod "${pod.metadata.name}" has not ended after ${Math.round(ageSeconds)} s: ${why ?? phase}`);
}
