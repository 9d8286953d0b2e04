import { fieldOf, type StorageType } from "../resources/backup-source.js";
import type { EtcdBackup } from "../resources/etcd-backup.js";
import { awsSecret, type SecretData } from "./aws-secret.js";
import { s3Storage } from "./s3-storage.js";
import type { SnapshotStorage } from "./snapshot-storage.js";

type Sources = Pick<EtcdBackup["spec"], "s3" | "abs" | "gcs" | "oss" | "persistentVolumeClaim">;

/** Where the snapshots of an EtcdBackup or EtcdRestore are. */
export type BackupTarget =
  /** Reached by the operator itself. `secret` authorizes a restore. */
  | { readonly kind: "storage"; readonly storage: SnapshotStorage; readonly path: string; readonly secret: string }
  /** Reached by Pods that mount it. */
  | { readonly kind: "volume"; readonly claimName: string; readonly path: string }
  | { readonly kind: "notSupported"; readonly message: string }
  | { readonly kind: "secretMissing"; readonly message: string };

/** The target of a storage type. `findSecret` resolves with the data of a Secret, or with undefined if it does not exist. */
export async function backupTarget(
  type: StorageType,
  sources: Sources,
  findSecret: (name: string) => Promise<{ readonly data?: SecretData } | undefined>,
): Promise<BackupTarget> {
  const { s3, persistentVolumeClaim } = sources;
  if (type === "S3" && s3 !== undefined) {
    const secret = await findSecret(s3.awsSecret);
    if (secret === undefined) return { kind: "secretMissing", message: `Secret "${s3.awsSecret}" does not exist` };
    const [bucket = "", ...key] = s3.path.split("/");
    const path = key.join("/");
    if (path === "")
      return { kind: "notSupported", message: `spec.s3.path "${s3.path}" is not of the form bucket/key` };
    try {
      const { credentials, region } = awsSecret(s3.awsSecret, secret.data);
      const { endpoint, forcePathStyle = false } = s3;
      const place = { bucket, region, credentials, forcePathStyle, ...(endpoint && { endpoint }) };
      return { kind: "storage", storage: s3Storage(place), path, secret: credentials.secretAccessKey };
    } catch (error) {
      return { kind: "secretMissing", message: error instanceof Error ? error.message : String(error) };
    }
  }
  if (type === "PersistentVolumeClaim" && persistentVolumeClaim !== undefined)
    return { kind: "volume", ...persistentVolumeClaim };
  const message = `Storage type ${type} is not supported: use S3, also for the S3-compatible endpoint of another provider, or PersistentVolumeClaim instead of spec.${fieldOf(type)}`;
  return { kind: "notSupported", message };
}
