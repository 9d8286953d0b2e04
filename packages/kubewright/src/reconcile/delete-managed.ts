import { isNotFound } from "@kubewright/core/errors";
import { keyOf } from "@kubewright/core/identity";
import { nameOfKey, objectMeta } from "../client/index.js";
import type { AnyKind, ReadOf } from "../definition/index.js";
import { ownerLabel } from "../route/index.js";
import { isMadeBy } from "./child-control.js";
import type { ChildKind } from "./child-kinds.js";
import type { Run } from "./run.js";

/**
 * Deletes the objects that an owner manages. "pending" while one still exists: its finalizers hold it, or it is a Namespace.
 *
 * The server is asked, not the cache: an object that another replica created a moment ago must not be left behind.
 */
export async function deleteManaged(run: Run): Promise<"done" | "pending"> {
  const managed = run.services.controller.children.filter(({ by }) => by === "label");
  let left = 0;
  for (const child of managed) left += await deleteOfKind(run, child);
  if (left === 0) return "done";
  run.logger.info({ objects: left }, "The deletion waits for managed objects");
  return "pending";
}

/** Returns how many are still there. */
async function deleteOfKind(run: Run, child: ChildKind): Promise<number> {
  const { controller, childClient } = run.services;
  const managers = [controller.fieldManager, ...controller.formerNames];
  let left = 0;
  for (const object of await managedObjects(run, child)) {
    const metadata = objectMeta(object);
    // One that only has a copied label is another client's.
    if (!isMadeBy(metadata, managers)) continue;
    if (metadata.deletionTimestamp !== undefined) {
      left += 1;
      continue;
    }
    const key = keyOf({ metadata });
    const { uid = "" } = metadata;
    run.reportWrite(child.kind, key, "delete");
    try {
      const pending = await childClient.delete(child.kind, nameOfKey(key), {
        propagationPolicy: "Background",
        preconditions: { uid },
        signal: run.requestSignal,
      });
      if (pending !== undefined) left += 1;
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }
  return left;
}

async function managedObjects(run: Run, { kind, selection }: ChildKind): Promise<readonly ReadOf<AnyKind>[]> {
  const { childClient, controller, informers } = run.services;
  const { uid = "" } = objectMeta(run.object);
  const labels = { [ownerLabel(controller.kind)]: uid };
  const { namespaces } = informers.informer(kind, selection);
  const places = namespaces === undefined ? [{ allNamespaces: true }] : namespaces.map((namespace) => ({ namespace }));
  const found: ReadOf<AnyKind>[] = [];
  const options = { labels, managedFields: true, signal: run.requestSignal };
  try {
    for (const place of places)
      for await (const object of childClient.live.list(kind, { ...place, ...options })) found.push(object);
  } catch (error) {
    // The kind itself is gone, and its objects with it.
    if (!isNotFound(error)) throw error;
  }
  return found;
}
