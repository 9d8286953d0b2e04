import type { EtcdConnection, EtcdMembers } from "../members/etcd-members.js";
import { verifiedSnapshot } from "./snapshot-file.js";
import { snapshotName, snapshotsOf } from "./snapshot-names.js";
import type { SnapshotStorage } from "./snapshot-storage.js";

/** A snapshot to take. */
export interface SnapshotRequest {
  readonly etcd: EtcdMembers;
  readonly connections: readonly EtcdConnection[];
  readonly storage: SnapshotStorage;
  readonly path: string;
  /** A part of the name: repeated attempts with the same time replace the snapshot instead of adding one. */
  readonly date: Date;
  /** The oldest snapshots above this number are deleted afterwards. 0: none. */
  readonly maxBackups: number;
  readonly signal: AbortSignal;
}

/** A snapshot that is stored. */
export interface StoredSnapshot {
  readonly name: string;
  readonly revision: bigint;
  readonly etcdVersion: string;
  /** All snapshots of the path, the oldest first. */
  readonly backups: readonly string[];
}

/** Stores a snapshot of the member with the highest revision, and deletes the oldest ones. */
export async function takeSnapshot(request: SnapshotRequest): Promise<StoredSnapshot> {
  const { etcd, storage, path, date, maxBackups, signal } = request;
  const { connection, status } = await newestMember(request);
  const name = snapshotName(path, status.revision, date);
  await storage.save(name, verifiedSnapshot(etcd.snapshot(connection, { signal })), signal);
  const backups = snapshotsOf(path, await storage.list(`${path}_v`, signal));
  const outdated = maxBackups === 0 ? [] : backups.slice(0, -maxBackups);
  for (const old of outdated) await storage.delete(old, signal);
  return { name, revision: status.revision, etcdVersion: status.version, backups: backups.slice(outdated.length) };
}

/** A member may lag behind, or be cut off from the others: its snapshot would lack what was acknowledged. */
async function newestMember({ etcd, connections, signal }: SnapshotRequest) {
  const attempts = await Promise.allSettled(
    connections.map(async (connection) => ({ connection, status: await etcd.status(connection, { signal }) })),
  );
  signal.throwIfAborted();
  const members = attempts.flatMap((attempt) => (attempt.status === "fulfilled" ? [attempt.value] : []));
  const newest = members.toSorted((one, other) => Number(other.status.revision - one.status.revision))[0];
  if (newest !== undefined) return newest;
  const reasons = attempts.flatMap((attempt, index) =>
    attempt.status === "rejected" ? [`${connections[index]?.url}: ${messageOf(attempt.reason)}`] : [],
  );
  throw new Error(`No endpoint of etcd can be reached: ${reasons.join("; ")}`);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
