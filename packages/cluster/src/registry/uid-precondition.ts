import type { JsonObject } from "@kubewright/core/json";
import { conflict } from "./api-failure.js";
import { metadataOf, textAt } from "./draft.js";
import type { Resource } from "./resource.js";
import { recordKey } from "./write-context.js";

/** Where a real server stores kinds that are not called as their folder is. */
const folders: Readonly<Record<string, string>> = {
  endpoints: "services/endpoints",
  ingresses: "ingress",
  nodes: "minions",
  replicationcontrollers: "controllers",
  services: "services/specs",
};

/** Which object an update is for. */
export interface UpdatedPlace {
  readonly resource: Resource;
  readonly namespace: string;
  readonly name: string;
  readonly dryRun: boolean;
}

/** An update that names a uid is for that object alone; a patch that changes it is told that it cannot. `old` is undefined for none. */
export function checkUid(place: UpdatedPlace, uid: string, old: JsonObject | undefined): void {
  const { resource, namespace, name, dryRun } = place;
  const before = old === undefined ? "" : textAt(metadataOf(old), "uid");
  if (uid === "" || uid === before) return;
  const own = folders[resource.plural] ?? resource.plural;
  const folder = resource.origin === "custom" ? `${resource.group}/${resource.plural}` : own;
  // Where nothing is stored, the storage below is not asked.
  const key = `${dryRun ? "" : "/registry"}/${folder}/${recordKey(namespace, name)}`;
  throw conflict(
    resource,
    name,
    `StorageError: invalid object, Code: 4, Key: ${key}, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: ${uid}, UID in object meta: ${before}`,
  );
}
