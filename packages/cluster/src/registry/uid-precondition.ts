import type { JsonObject } from "@kubewright/core/json";
import { conflict } from "./api-failure.js";
import { metadataOf, textAt } from "./draft.js";
import { recordKey, type Write } from "./write-context.js";

/** Rejects an update with the uid of another object. `old` is undefined if the object does not exist. */
export function checkUid(
  { resource, target }: Pick<Write, "resource" | "target">,
  uid: string,
  old: JsonObject | undefined,
): void {
  const live = old === undefined ? "" : textAt(metadataOf(old), "uid");
  if (uid === "" || uid === live) return;
  const folder = resource.origin === "custom" ? `${resource.group}/${resource.plural}` : resource.plural;
  const key = `/registry/${folder}/${recordKey(target.namespace, target.name)}`;
  throw conflict(
    resource,
    target.name,
    `StorageError: invalid object, Code: 4, Key: ${key}, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: ${uid}, UID in object meta: ${live}`,
  );
}
