import {
  type Controller,
  controller,
  isAlreadyExists,
  live,
  may,
  type ReadOf,
  type ReconcileContext,
  type Selected,
  select,
} from "kubewright";
import { Pod, Secret } from "kubewright/k8s/core/v1";
import type { Live, May } from "kubewright/types";
import { type BackupTarget, backupTarget } from "../backup/backup-target.js";
import { findSnapshot, revisionIn } from "../backup/snapshot-names.js";
import { EtcdCluster, type ReadEtcdCluster } from "../resources/etcd-cluster.js";
import { EtcdRestore } from "../resources/etcd-restore.js";
import { type RestoreData, restoreAnnotation, restoreDataOf } from "./restore-data.js";
import { restoreUrl } from "./restore-server.js";
import { restoreToken } from "./restore-token.js";

const uses: readonly [
  Live<typeof Secret>,
  typeof EtcdCluster,
  May<typeof EtcdCluster, "create" | "delete" | "patch">,
  Selected<typeof Pod, never>,
] = [
  live(Secret, { unwatched: true }),
  EtcdCluster,
  may(EtcdCluster, "create", "delete", "patch"),
  select(Pod, { labels: { app: "etcd" } }),
];
type RestoreContext = ReconcileContext<typeof EtcdRestore, readonly [], typeof uses, readonly []>;
type Conditions = RestoreContext["conditions"];
type Reason = Parameters<Conditions["set"]>[1]["reason"];
type ReadPod = ReadOf<typeof Pod>;

/** How clusters are restored. */
export interface EtcdRestoreOptions {
  /** Resolves with the image of the operator, for the init containers of a restored member. */
  readonly image: () => Promise<string>;
  /** URL of the restore server, as Pods reach it. */
  readonly server: string;
}

/** How long to wait, and what to report meanwhile. */
interface Waiting {
  readonly reason: Reason;
  readonly message: string;
  /** Left out where only a change of an object helps. */
  readonly seconds?: number;
}

type Step = Waiting | { readonly reason: "Succeeded"; readonly message: string };

const lastApplied = "kubectl.kubernetes.io/last-applied-configuration";

/**
 * Restores snapshots into EtcdClusters, of the same name or of a new one.
 *
 * It finds the snapshot, records the spec of the cluster, deletes the cluster if its name is used again, and creates one with the annotation from which
 * the controller of EtcdClusters makes the first member. What was done is in the status before the next step begins: so a run that follows a crash goes
 * on, and never deletes the restored cluster.
 */
export function etcdRestoreController(options: EtcdRestoreOptions): Controller {
  return controller(EtcdRestore, {
    name: "etcd-restore",
    timeout: "2m",
    uses,
    reconcile: async (context) => {
      const { status, conditions, event, requeueAfter } = context;
      if (status.succeeded) return removeAnnotation(context);
      if (conditions.get("Ready")?.reason === "Failed") return undefined;
      const step = await nextStep(context, options);
      const { reason, message } = step;
      status.reason = reason === "Succeeded" ? undefined : message;
      conditions.set("Ready", { status: reason === "Succeeded", reason, message });
      if (reason === "Succeeded") {
        status.succeeded = true;
        event("Normal", "Restored", message);
        return requeueAfter(0); // the annotation goes once the status is stored
      }
      if (reason === "Failed") event("Warning", "RestoreFailed", message);
      return "seconds" in step && step.seconds !== undefined ? requeueAfter(`${step.seconds}s`) : undefined;
    },
  });
}

async function nextStep(context: RestoreContext, options: EtcdRestoreOptions): Promise<Step> {
  const { object, status, saveStatus, find } = context;
  const { spec, metadata } = object;
  const target = await backupTarget(spec.backupStorageType, spec, (name) => find(Secret, name));
  if (target.kind === "notSupported") return { reason: "StorageNotSupported", message: target.message };
  if (target.kind === "secretMissing") return { reason: "SecretMissing", message: target.message, seconds: 30 };

  // Everything that can be missing is looked for before the cluster is deleted.
  if (target.kind === "storage" && status.snapshot === undefined) {
    const snapshot = findSnapshot(target.path, await target.storage.list(target.path, context.signal));
    if (snapshot === undefined)
      return { reason: "SnapshotMissing", message: `There is no snapshot "${target.path}"`, seconds: 30 };
    rememberSnapshot(context, snapshot);
  }
  const { name: sourceName, newName = sourceName } = spec.etcdCluster;
  if (status.source === undefined) {
    const source = await find(EtcdCluster, sourceName);
    if (source === undefined)
      return { reason: "ClusterMissing", message: `EtcdCluster "${sourceName}" does not exist: its spec is needed` };
    const { uid = source.metadata.uid } = spec.etcdCluster;
    if (source.metadata.uid !== uid)
      return { reason: "Failed", message: `EtcdCluster "${sourceName}" was created again: its uid is not "${uid}"` };
    status.source = sourceOf(source);
    await saveStatus();
  }

  const cluster = await find(EtcdCluster, newName);
  const isRestored = cluster !== undefined && restoreUidOf(cluster) === metadata.uid;
  if (isRestored && status.restoredUid === undefined) {
    status.restoredUid = cluster.metadata.uid;
    await saveStatus();
  }
  if (status.restoredUid !== undefined) {
    if (cluster?.metadata.uid === status.restoredUid) return progressOf(context, cluster);
    return { reason: "Failed", message: `EtcdCluster "${newName}" was deleted during its restore` };
  }
  if (cluster !== undefined) return replace(context, cluster);
  return createCluster(context, options, target);
}

/** Deletes the cluster whose name the restored one takes, with its members, volumes and Services. */
async function replace({ object, status, delete: remove }: RestoreContext, cluster: ReadEtcdCluster): Promise<Waiting> {
  const { name, uid, deletionTimestamp } = cluster.metadata;
  if (object.spec.etcdCluster.newName !== undefined && uid !== status.source?.uid)
    return { reason: "NameTaken", message: `EtcdCluster "${name}" exists: choose another spec.etcdCluster.newName` };
  if (uid !== status.source?.uid)
    return { reason: "NameTaken", message: `EtcdCluster "${name}" was created again since the restore began` };
  if (deletionTimestamp === undefined) await remove(EtcdCluster, name, { uid, propagationPolicy: "Foreground" });
  return { reason: "DeletingCluster", message: `EtcdCluster "${name}" is being deleted with its members`, seconds: 10 };
}

async function createCluster(
  { object, status, create, saveStatus }: RestoreContext,
  { image, server }: EtcdRestoreOptions,
  target: Extract<BackupTarget, { readonly kind: "storage" | "volume" }>,
): Promise<Waiting> {
  const { uid, namespace = "default", name: restore } = object.metadata;
  const { name: sourceName, newName = sourceName } = object.spec.etcdCluster;
  const source: RestoreData["source"] =
    target.kind === "volume"
      ? { kind: "volume", claimName: target.claimName, path: target.path }
      : {
          kind: "service",
          url: restoreUrl(server, { namespace, name: restore }),
          token: restoreToken(target.secret, uid),
        };
  const data: RestoreData = { restoreUid: uid, image: await image(), source };
  const { labels, annotations, spec } = status.source ?? { spec: {} };
  try {
    const created = await create(EtcdCluster, {
      metadata: {
        name: newName,
        namespace,
        ...(labels && { labels }),
        annotations: { ...annotations, [restoreAnnotation]: JSON.stringify(data) },
      },
      spec: spec as { size: number },
    });
    status.restoredUid = created.metadata.uid;
    await saveStatus();
  } catch (error) {
    if (!isAlreadyExists(error)) throw error; // seen in the next run
  }
  return { reason: "CreatingCluster", message: `EtcdCluster "${newName}" has been created`, seconds: 10 };
}

async function progressOf(context: RestoreContext, cluster: ReadEtcdCluster): Promise<Step> {
  const { name } = cluster.metadata;
  const { size } = cluster.spec;
  const { phase, members, reason } = cluster.status ?? {};
  const ready = members?.ready?.length ?? 0;
  if (phase === "Failed")
    return { reason: "Failed", message: `EtcdCluster "${name}" has failed: ${reason ?? "no reason is known"}` };
  if (phase !== "Running") return restoringOf(context, name);
  if (context.status.snapshot === undefined) await restoringOf(context, name); // a volume: the Pod knows the snapshot
  if (ready < size) {
    const message = `The first member has the data; ${ready} of ${size} members are ready`;
    return { reason: "WaitingForMembers", message, seconds: 10 };
  }
  const revision = context.status.etcdRevision;
  const what = revision === undefined ? "the snapshot" : `revision ${revision}`;
  return { reason: "Succeeded", message: `EtcdCluster "${name}" has the data of ${what}, and ${size} ready members` };
}

/** How far the first member is, by its init containers. */
async function restoringOf(context: RestoreContext, cluster: string): Promise<Waiting> {
  const pods = await context.list(Pod, { labels: { app: "etcd", etcd_cluster: cluster } });
  const states = pods.flatMap(statesOf);
  const fetched = states.flatMap(({ state }) => /^Fetched (.+)$/.exec(state?.terminated?.message ?? "")?.[1] ?? [])[0];
  if (fetched !== undefined && context.status.snapshot === undefined && !fetched.includes("://"))
    rememberSnapshot(context, fetched);
  const failed = states.find(({ state }) => (state?.terminated?.exitCode ?? 0) !== 0);
  const waiting = states.find(({ state }) => state?.waiting?.message !== undefined);
  const why = failed?.state?.terminated?.message ?? waiting?.state?.waiting?.message;
  const container = failed?.name ?? waiting?.name;
  const detail = why === undefined ? "" : `: ${container}: ${why.slice(0, 500)}`;
  return {
    reason: "RestoringSnapshot",
    message: `The first member fetches and restores the snapshot${detail}`,
    seconds: 10,
  };
}

function statesOf({ status }: ReadPod): NonNullable<NonNullable<ReadPod["status"]>["initContainerStatuses"]> {
  return status?.initContainerStatuses ?? [];
}

function rememberSnapshot({ status }: RestoreContext, snapshot: string): void {
  const revision = revisionIn(snapshot);
  status.snapshot = snapshot;
  if (revision !== undefined) status.etcdRevision = Number(revision);
}

/** A member that is created later must not start with the snapshot again. */
async function removeAnnotation({ object, status, find, patch }: RestoreContext): Promise<undefined> {
  const { name: sourceName, newName = sourceName } = object.spec.etcdCluster;
  const cluster = await find(EtcdCluster, newName);
  if (cluster?.metadata.uid !== status.restoredUid || cluster?.metadata.annotations?.[restoreAnnotation] === undefined)
    return undefined;
  await patch(EtcdCluster, newName, { merge: { metadata: { annotations: { [restoreAnnotation]: null } } } });
  return undefined;
}

function restoreUidOf(cluster: ReadEtcdCluster): string | undefined {
  try {
    return restoreDataOf(cluster)?.restoreUid;
  } catch {
    return undefined; // not written by this operator
  }
}

/** What the restored cluster takes over. It is not paused: the restore ends when its members are ready. */
function sourceOf({ metadata, spec }: ReadEtcdCluster) {
  const { paused: _, ...rest } = spec;
  const annotations = Object.fromEntries(
    Object.entries(metadata.annotations ?? {}).filter(([name]) => name !== lastApplied && name !== restoreAnnotation),
  );
  const labels = metadata.labels === undefined ? {} : { labels: { ...metadata.labels } };
  return { uid: metadata.uid, ...labels, annotations, spec: { ...structuredClone(rest) } };
}
