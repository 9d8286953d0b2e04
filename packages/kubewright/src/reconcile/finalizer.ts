import { isConflict, isNotFound } from "@kubewright/core/errors";
import { keyOf } from "@kubewright/core/identity";
import { objectMeta } from "../client/index.js";
import type { AnyKind, ReadOf } from "../definition/index.js";
import { type RunScope, traceWrite } from "./run-scope.js";

/** Attempts on a conflict before the next run takes over. */
const maxAttempts = 5;

/** Whether the object has the controller's finalizer. */
export function hasFinalizer(scope: RunScope, object: ReadOf<AnyKind>): boolean {
  return objectMeta(object).finalizers?.includes(scope.controller.finalizer) === true;
}

/**
 * Adds the controller's finalizer, so that the object stays until `finalize` has run.
 *
 * Returns the updated object; undefined when it is deleted or terminating, where the server rejects new finalizers.
 */
export function addFinalizer(scope: RunScope): Promise<ReadOf<AnyKind> | undefined> {
  return changeFinalizers(scope, "add finalizer", (object, finalizers) =>
    objectMeta(object).deletionTimestamp === undefined ? [...finalizers, scope.controller.finalizer] : undefined,
  );
}

/** Removes the controller's finalizer. When it was the last one of a terminating object, the server deletes the object. */
export function removeFinalizer(scope: RunScope): Promise<ReadOf<AnyKind> | undefined> {
  return changeFinalizers(scope, "remove finalizer", (_, finalizers) =>
    finalizers.filter((finalizer) => finalizer !== scope.controller.finalizer),
  );
}

/**
 * Replaces the list by a merge patch with a resourceVersion precondition, so that no other finalizer is lost. It has a field manager of its own, so
 * that an apply of other fields never drops the finalizer.
 */
async function changeFinalizers(
  scope: RunScope,
  what: string,
  change: (object: ReadOf<AnyKind>, finalizers: readonly string[]) => readonly string[] | undefined,
): Promise<ReadOf<AnyKind> | undefined> {
  const { client, controller, environment } = scope;
  const key = keyOf({ metadata: objectMeta(scope.object) });
  let object: ReadOf<AnyKind> | undefined = (await client.find(controller.kind, key)) ?? scope.object;
  for (let attempt = 1; object !== undefined; attempt++) {
    const { uid, resourceVersion, finalizers = [] } = objectMeta(object);
    const next = uid === objectMeta(scope.object).uid ? change(object, finalizers) : undefined;
    if (next === undefined) return undefined;
    traceWrite(scope, controller.kind, key, what);
    const merge = { metadata: { uid, resourceVersion, finalizers: next } };
    try {
      return await client.patch(
        controller.kind,
        key,
        { merge },
        { fieldManager: `${controller.fieldManager}-finalizer`, signal: environment.requestSignal },
      );
    } catch (error) {
      if (isNotFound(error)) return undefined;
      if (!isConflict(error) || attempt >= maxAttempts) throw error;
      object = await client.live.find(controller.kind, key, { signal: environment.requestSignal });
    }
  }
  return undefined;
}
