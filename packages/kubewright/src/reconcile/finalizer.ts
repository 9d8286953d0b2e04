import { isConflict, isNotFound } from "@kubewright/core/errors";
import { formatKey, keyOf } from "@kubewright/core/identity";
import { objectMeta } from "../client/index.js";
import type { AnyKind, ReadOf } from "../definition/index.js";
import type { AnyController } from "./cached-kinds.js";
import type { Run } from "./run.js";

/** Attempts on a conflict before the next run takes over. */
const maxAttempts = 5;

/** Whether a finalizer is the controller's own, or one of its former names. */
export function servesFinalizer(controller: AnyController, name: string): boolean {
  if (controller.role === "raw") return false;
  return controller.finalizer === name || controller.formerFinalizers.includes(name);
}

/** Whether the object has the controller's finalizer, or one of its former names. */
export function hasFinalizer(run: Run, object: ReadOf<AnyKind>): boolean {
  const { finalizer, formerFinalizers } = run.services.controller;
  const { finalizers } = objectMeta(object);
  if (finalizers === undefined) return false;
  return finalizers.includes(finalizer) || formerFinalizers.some((former) => finalizers.includes(former));
}

/** Whether the object has the finalizers that it should have: the controller's own where it has a `finalize` or manages objects, and none of its former names. */
export function hasRightFinalizers(run: Run, object: ReadOf<AnyKind>): boolean {
  const { finalizer, formerFinalizers, finalizes } = run.services.controller;
  const { finalizers = [] } = objectMeta(object);
  return (
    finalizers.includes(finalizer) === finalizes && !formerFinalizers.some((former) => finalizers.includes(former))
  );
}

/**
 * Adds the controller's finalizer, instead of those of its former names, so that the object stays until `finalize` has run.
 *
 * Returns the updated object; undefined when it is deleted or terminating, where the server rejects new finalizers.
 */
export function addFinalizer(run: Run): Promise<ReadOf<AnyKind> | undefined> {
  return changeFinalizers(run, "add finalizer", (object, finalizers) =>
    objectMeta(object).deletionTimestamp === undefined
      ? [...withoutOwn(run, finalizers), run.services.controller.finalizer]
      : undefined,
  );
}

/** Removes the controller's finalizer, and those of its former names. When it was the last one of a terminating object, the server deletes the object. */
export function removeFinalizer(run: Run): Promise<ReadOf<AnyKind> | undefined> {
  return changeFinalizers(run, "remove finalizer", (_, finalizers) => withoutOwn(run, finalizers));
}

function withoutOwn({ services }: Run, finalizers: readonly string[]): readonly string[] {
  const { finalizer, formerFinalizers } = services.controller;
  return finalizers.filter((one) => one !== finalizer && !formerFinalizers.includes(one));
}

/**
 * Replaces the list by a merge patch with a resourceVersion precondition, so that no other finalizer is lost. It has a field manager of its own, so
 * that an apply of other fields never drops the finalizer.
 */
async function changeFinalizers(
  run: Run,
  what: string,
  change: (object: ReadOf<AnyKind>, finalizers: readonly string[]) => readonly string[] | undefined,
): Promise<ReadOf<AnyKind> | undefined> {
  const { client, controller, ownWrites } = run.services;
  const key = keyOf({ metadata: objectMeta(run.object) });
  let object: ReadOf<AnyKind> | undefined = (await client.find(controller.kind, key)) ?? run.object;
  for (let attempt = 1; object !== undefined; attempt++) {
    const { uid, resourceVersion, deletionTimestamp, finalizers = [] } = objectMeta(object);
    const next = uid === objectMeta(run.object).uid ? change(object, finalizers) : undefined;
    if (next === undefined) return undefined;
    run.reportWrite(controller.kind, key, what);
    const merge = { metadata: { uid, resourceVersion, finalizers: next } };
    try {
      const write = (): Promise<ReadOf<AnyKind>> =>
        client.patch(
          controller.kind,
          key,
          { merge },
          { fieldManager: `${controller.fieldManager}-finalizer`, signal: run.requestSignal },
        );
      // The run continues with the result. A terminating object is reconciled again where other finalizers are left.
      return await (deletionTimestamp === undefined ? ownWrites.track(formatKey(key), object, write) : write());
    } catch (error) {
      if (isNotFound(error)) return undefined;
      if (!isConflict(error) || attempt >= maxAttempts) throw error;
      object = await client.live.find(controller.kind, key, { signal: run.requestSignal });
    }
  }
  return undefined;
}
