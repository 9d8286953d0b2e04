import { isAlreadyExists } from "kubewright";
import { fieldOf } from "../resources/backup-source.js";
import { EtcdBackup, type ReadEtcdBackup } from "../resources/etcd-backup.js";
import { EtcdRestore } from "../resources/etcd-restore.js";
import type { ClusterContext } from "./context.js";
import { memberOf } from "./names.js";
import { clientServiceName } from "./services.js";

/**
 * Creates an EtcdRestore of the newest snapshot of this cluster. Its name follows from the uid of the cluster, so that a repeated run creates no second one.
 * Returns what it restores; undefined if there is no backup, or the spec does not want it.
 */
export async function restoreNewestBackup(context: ClusterContext): Promise<string | undefined> {
  const { object, list, create, event } = context;
  if (object.spec.onDataLoss === "Wait") return undefined;
  const backups = (await list(EtcdBackup)).filter(
    (backup) => backup.status?.lastSuccessDate !== undefined && isOf(context, backup),
  );
  const newest = backups.toSorted((a, b) => dateOf(b).localeCompare(dateOf(a)))[0];
  if (newest === undefined) return undefined;
  const { storageType } = newest.spec;
  const field = fieldOf(storageType);
  const { name } = object.metadata;
  const restore = `${name}-${object.metadata.uid.slice(0, 8)}`;
  const message = `No member and no volume is left: EtcdRestore "${restore}" restores EtcdBackup "${newest.metadata.name}" of ${dateOf(newest)}`;
  try {
    await create(EtcdRestore, {
      metadata: { name: restore },
      spec: {
        backupStorageType: storageType,
        [field]: structuredClone(newest.spec[field]),
        etcdCluster: { name, uid: object.metadata.uid, newName: name },
      },
    });
    event("Warning", "Data Lost", message);
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
  }
  return message;
}

/** Whether a backup is of this cluster: by its Service for clients, or by a member. */
function isOf({ object }: ClusterContext, { spec }: ReadEtcdBackup): boolean {
  return spec.etcdEndpoints.some((url) => {
    const [host] = URL.canParse(url) ? new URL(url).hostname.split(".") : [];
    return host === clientServiceName(object.metadata.name) || memberOf(object, url) !== undefined;
  });
}

function dateOf({ status }: ReadEtcdBackup): string {
  return status?.lastSuccessDate ?? "";
}
