import { z } from "kubewright";

/** Where snapshots can be stored. */
export const storageTypes = ["S3", "ABS", "GCS", "OSS", "PersistentVolumeClaim"] as const;
export type StorageType = (typeof storageTypes)[number];

const path = z.string().min(1).max(1_024);
const secret = z.string().min(1).max(253);

/**
 * The fields of the storage types: the one of the chosen type is given.
 *
 * `ABS`, `GCS` and `OSS` are accepted for manifests of the former operator and reported as not supported: use their S3-compatible endpoints.
 */
export const backupSources = {
  s3: z
    .object({
      /** `bucket/key` */
      path,
      /** Secret with the files `credentials` and `config` of the AWS command line. */
      awsSecret: secret,
      /** URL of an S3-compatible service. Default: AWS. */
      endpoint: z.string().max(2_048).optional(),
      /** The bucket is in the path of URLs, not in the host name. */
      forcePathStyle: z.boolean().optional(),
    })
    .optional(),
  abs: z.object({ path, absSecret: secret }).optional(),
  gcs: z.object({ path, gcpSecret: secret }).optional(),
  oss: z.object({ path, ossSecret: secret, endpoint: z.string().max(2_048).optional() }).optional(),
  persistentVolumeClaim: z
    .object({
      /** File in the volume. */
      path,
      claimName: secret,
    })
    .optional(),
};

/** CEL: the source of the storage type is given. */
export const sourceRule = (typeField: string): { rule: string; message: string } => ({
  rule: storageTypes.map((type) => `(self.${typeField} != '${type}' || has(self.${fieldOf(type)}))`).join(" && "),
  message: `the field of the chosen ${typeField} is required: s3, abs, gcs, oss or persistentVolumeClaim`,
});

/** The field of a storage type. */
export function fieldOf(type: StorageType): keyof typeof backupSources {
  switch (type) {
    case "S3":
      return "s3";
    case "ABS":
      return "abs";
    case "GCS":
      return "gcs";
    case "OSS":
      return "oss";
    case "PersistentVolumeClaim":
      return "persistentVolumeClaim";
  }
}
