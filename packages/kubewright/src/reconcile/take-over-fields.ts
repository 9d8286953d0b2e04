import { keyOf, type ManagedFieldsEntry } from "@kubewright/core/identity";
import { isJsonObject, setOwn } from "@kubewright/core/json";
import { nameOfKey, objectMeta } from "../client/index.js";
import type { AnyKind, ReadOf } from "../definition/index.js";
import type { Run } from "./run.js";

/**
 * Makes the fields of the controller's former names its own, as client-go's `csaupgrade` migrates from client-side apply: their managedFields entries,
 * of operation `Apply` and `Update`, are merged into the controller's `Apply` entry. The apply that follows removes those that it does not give.
 *
 * Returns whether there were such entries. Entries of subresources stay. Rejects with a conflict when the object changed since it was read.
 */
export async function takeOverFields(run: Run, kind: AnyKind, object: ReadOf<AnyKind>): Promise<boolean> {
  const { childClient: client, controller } = run.services;
  const metadata = objectMeta(object);
  const managedFields = takenOver(metadata.managedFields ?? [], controller.fieldManager, controller.formerNames);
  if (managedFields === undefined) return false;
  const key = keyOf({ metadata });
  run.reportWrite(kind, key, "take over fields");
  const json = [
    { op: "replace", path: "/metadata/managedFields", value: managedFields },
    { op: "replace", path: "/metadata/resourceVersion", value: metadata.resourceVersion },
  ] as const;
  const { fieldManager } = controller;
  await client.patch(kind, nameOfKey(key), { json }, { fieldManager, signal: run.requestSignal });
  return true;
}

/** The entries after the merge; undefined when no former manager has one. */
function takenOver(
  entries: readonly ManagedFieldsEntry[],
  manager: string,
  formerNames: readonly string[],
): ManagedFieldsEntry[] | undefined {
  const isFormer = ({ manager: name = "", subresource = "" }: ManagedFieldsEntry): boolean =>
    subresource === "" && formerNames.includes(name);
  const isOwn = ({ manager: name, operation, subresource = "" }: ManagedFieldsEntry): boolean =>
    subresource === "" && operation === "Apply" && name === manager;
  const [former] = entries.filter(isFormer);
  if (former === undefined) return undefined;
  const merged = entries.filter((entry) => isFormer(entry) || isOwn(entry));
  const fieldsV1 = merged.reduce<Readonly<Record<string, unknown>>>(
    (all, entry) => union(all, entry.fieldsV1 ?? {}),
    {},
  );
  const own: ManagedFieldsEntry = { ...(entries.find(isOwn) ?? former), manager, operation: "Apply", fieldsV1 };
  return [own, ...entries.filter((entry) => !merged.includes(entry))];
}

/** The union of two field sets in the format FieldsV1: a tree of field names. */
function union(
  a: Readonly<Record<string, unknown>>,
  b: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const all: Record<string, unknown> = { ...a };
  for (const [name, fields] of Object.entries(b)) {
    const known = all[name];
    setOwn(all, name, isJsonObject(known) && isJsonObject(fields) ? union(known, fields) : fields);
  }
  return all;
}
