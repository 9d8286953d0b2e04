import {
  type Controller,
  controller,
  generationChanged,
  live,
  may,
  type ReconcileContext,
  type Selected,
  select,
} from "kubewright";
import { Pod, Secret } from "kubewright/k8s/core/v1";
import type { Live, May } from "kubewright/types";
import type { EtcdConnection, EtcdMembers } from "../members/etcd-members.js";
import { EtcdBackup } from "../resources/etcd-backup.js";
import { backupPodLabels, backupPodName, backupPodResult, backupPodSpec } from "./backup-pod.js";
import { dueBackup, maxRetries } from "./backup-schedule.js";
import { type BackupTarget, backupTarget } from "./backup-target.js";
import { clientCredentials } from "./client-credentials.js";
import { finalizersOf } from "./periodic-finalizer.js";
import { type StoredSnapshot, takeSnapshot } from "./take-snapshot.js";
import { withTimeLimit } from "./time-limit.js";

const owns: readonly [Selected<typeof Pod, never>] = [select(Pod, { labels: backupPodLabels })];
const uses: readonly [Live<typeof Secret>, May<typeof EtcdBackup, "patch">] = [
  live(Secret, { unwatched: true }), // read for each attempt
  may(EtcdBackup, "patch"),
];
type BackupContext = ReconcileContext<typeof EtcdBackup, typeof owns, typeof uses, readonly []>;

/** How backups are taken. */
export interface EtcdBackupOptions {
  readonly etcd: EtcdMembers;
  /** Resolves with the image of the operator, for Pods that write into a PersistentVolumeClaim. */
  readonly image: () => Promise<string>;
}

/** One attempt. `date` is the same for all attempts of one backup. */
interface Attempt {
  readonly target: Extract<BackupTarget, { readonly kind: "storage" | "volume" }>;
  readonly date: Date;
  readonly failedAttempts: number;
}

const oneRetrySeconds = 30;
/** Of `status.backups`. */
const maxListed = 1_000;

/**
 * Takes the snapshots of EtcdBackups: once, or periodically.
 *
 * Everything that the next run needs is in the status: when the backup began, and how many attempts have failed. A run that follows a crash repeats the
 * attempt with the same date, and so replaces the snapshot that it may have stored.
 */
export function etcdBackupController({ etcd, image }: EtcdBackupOptions): Controller {
  return controller(EtcdBackup, {
    name: "etcd-backup",
    workers: 4,
    timeout: "25h", // spec.backupPolicy.timeoutInSecond bounds each attempt
    owns,
    uses,
    when: generationChanged,
    whileDeleting: true,
    reconcile: async (context) => {
      const { object, status, saveStatus, conditions, clock, event, patch, requeueAfter } = context;
      const { metadata, spec } = object;
      const isPeriodic = (spec.backupPolicy?.backupIntervalInSecond ?? 0) > 0;
      const finalizers = finalizersOf(metadata, isPeriodic);
      if (finalizers !== undefined) {
        const { resourceVersion } = metadata;
        await patch(EtcdBackup, metadata.name, { merge: { metadata: { resourceVersion, finalizers } } });
      }
      if (metadata.deletionTimestamp !== undefined) return undefined;

      const nextRun = (): ReturnType<typeof requeueAfter> | undefined => {
        const next = dueBackup({ spec, status }, clock.now());
        return next.kind === "later"
          ? requeueAfter(`${Math.max(1, Math.ceil((next.atMs - clock.now()) / 1_000))}s`)
          : undefined;
      };
      const due = dueBackup(object, clock.now());
      if (due.kind !== "now") return nextRun();

      const target = await backupTarget(spec.storageType, spec, (name) => context.find(Secret, name));
      if (target.kind === "notSupported" || target.kind === "secretMissing") {
        const reason = target.kind === "notSupported" ? "StorageNotSupported" : "SecretMissing";
        status.succeeded = false;
        status.Reason = target.message;
        conditions.set("Ready", { status: false, reason, message: target.message });
        return target.kind === "secretMissing" ? requeueAfter(`${oneRetrySeconds}s`) : undefined;
      }

      const { date, failedAttempts } = due;
      if (status.lastExecutionDate !== date.toISOString()) {
        status.lastExecutionDate = date.toISOString();
        status.failedAttempts = undefined;
        status.lastFailureDate = undefined;
        conditions.set("Ready", { status: false, reason: "Running", message: "The first attempt is in progress" });
        await saveStatus(); // the date survives a crash
      }
      try {
        const stored = await attemptBackup(context, { etcd, image }, { target, date, failedAttempts });
        if (stored === undefined) return requeueAfter("10s"); // its Pod runs
        status.succeeded = true;
        status.Reason = undefined;
        status.failedAttempts = undefined;
        status.lastFailureDate = undefined;
        status.etcdVersion = stored.etcdVersion;
        status.etcdRevision = Number(stored.revision);
        status.lastSuccessDate = new Date(clock.now()).toISOString();
        status.backups = stored.backups.slice(-maxListed);
        conditions.set("Ready", { status: true, reason: "Succeeded", message: `Stored ${stored.name}` });
        event("Normal", "BackupSucceeded", `Stored ${stored.name}`);
        return nextRun();
      } catch (error) {
        if (context.signal.aborted) throw error; // another process goes on
        const why = (error instanceof Error ? error.message : String(error)).slice(0, 1_000);
        const failed = failedAttempts + 1;
        status.succeeded = false;
        status.failedAttempts = failed;
        status.lastFailureDate = new Date(clock.now()).toISOString();
        status.Reason = why;
        if (failed <= maxRetries) {
          const message = `Attempt ${failed} of ${maxRetries + 1} has failed: ${why}`;
          conditions.set("Ready", { status: false, reason: "Running", message });
          return nextRun();
        }
        const message = `Given up after ${failed} attempts: ${why}`;
        conditions.set("Ready", { status: false, reason: "Failed", message });
        event("Warning", "BackupFailed", message);
        return nextRun();
      }
    },
  });
}

/** Resolves with the snapshot, or with undefined while a Pod takes it. */
async function attemptBackup(
  context: BackupContext,
  { etcd, image }: EtcdBackupOptions,
  { target, date, failedAttempts }: Attempt,
): Promise<StoredSnapshot | undefined> {
  const { object, clock, ensure, delete: remove } = context;
  const { timeoutInSecond = 60, maxBackups = 0 } = object.spec.backupPolicy ?? {};
  if (target.kind === "volume") {
    const name = backupPodName(object, date, failedAttempts);
    const { claimName, path } = target;
    const pod = await ensure(Pod, name, async () => ({
      metadata: { labels: backupPodLabels },
      spec: backupPodSpec(object, { claimName, path, date, image: await image() }),
    }));
    let isEnded = true;
    try {
      const stored = backupPodResult(pod, timeoutInSecond, clock.now());
      isEnded = stored !== undefined;
      return stored;
    } finally {
      if (isEnded) await remove(Pod, name);
    }
  }

  const { storage, path } = target;
  const connections = await connectionsOf(context);
  const message = `The backup has not ended within spec.backupPolicy.timeoutInSecond, ${timeoutInSecond} s`;
  return withTimeLimit({ clock, ms: timeoutInSecond * 1_000, message, signal: context.signal }, (signal) =>
    takeSnapshot({ etcd, connections, storage, path, date, maxBackups, signal }),
  );
}

async function connectionsOf({ object: { spec }, find }: BackupContext): Promise<readonly EtcdConnection[]> {
  const name = spec.clientTLSSecret;
  if (name === undefined) return spec.etcdEndpoints.map((url) => ({ url }));
  const secret = await find(Secret, name);
  if (secret === undefined) throw new Error(`Secret "${name}" does not exist`);
  const credentials = clientCredentials(name, secret.data);
  return spec.etcdEndpoints.map((url) => ({ url, credentials }));
}
