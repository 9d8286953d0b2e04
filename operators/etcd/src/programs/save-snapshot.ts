import { readFileSync } from "node:fs";
import { join } from "node:path";
import { backupPodRequest, backupPodVariable, podReport } from "../backup/backup-pod.js";
import { clientCredentials } from "../backup/client-credentials.js";
import { folderStorage } from "../backup/folder-storage.js";
import { takeSnapshot } from "../backup/take-snapshot.js";
import type { ProgramContext } from "./program.js";

/** Stores a snapshot in a mounted PersistentVolume, as the environment variable says. */
export async function saveSnapshot(
  _: readonly string[],
  { etcd, environment, signal }: ProgramContext,
): Promise<string> {
  const request = backupPodRequest.parse(JSON.parse(environment[backupPodVariable] ?? "null"));
  const { endpoints, folder, path, date, maxBackups, timeoutSeconds, tlsFolder } = request;
  const credentials = tlsFolder === undefined ? {} : { credentials: credentialsIn(tlsFolder) };
  const stored = await takeSnapshot({
    etcd,
    connections: endpoints.map((url) => ({ url, ...credentials })),
    storage: folderStorage(folder),
    path,
    date: new Date(date),
    maxBackups,
    signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutSeconds * 1_000)]),
  });
  return podReport(stored);
}

/** A mounted Secret has a file for each key. */
function credentialsIn(folder: string): ReturnType<typeof clientCredentials> {
  const files = ["etcd-client-ca.crt", "etcd-client.crt", "etcd-client.key"];
  const data = Object.fromEntries(files.map((file) => [file, readFileSync(join(folder, file)).toString("base64")]));
  return clientCredentials(folder, data);
}
