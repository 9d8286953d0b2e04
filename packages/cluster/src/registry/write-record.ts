import { copyFields, type JsonObject } from "@kubewright/core/json";
import { isLost, type StoredRecord } from "../storage/index.js";
import { modified } from "./api-failure.js";
import { type Draft, metadataOf, textAt, textsAt } from "./draft.js";
import type { Resource } from "./resource.js";
import type { WriteContext } from "./write-context.js";

/** Whether an object that is being deleted has neither finalizers nor a grace period left. */
export function isDeletable(resource: Resource, object: JsonObject, old: JsonObject): boolean {
  const metadata = metadataOf(object);
  const { deletionGracePeriodSeconds: left = 0 } = metadataOf(old);
  return (
    metadata["deletionTimestamp"] !== undefined &&
    left === 0 &&
    textsAt(metadata, "finalizers").length === 0 &&
    resource.strategy.deletion?.isHeld?.(object) !== true
  );
}

/** Which record {@link writeRecord} replaces. */
export interface RecordWrite {
  readonly context: WriteContext;
  readonly resource: Resource;
  readonly record: StoredRecord;
  readonly dryRun: boolean;
}

/**
 * Stores a changed object, or removes it where it only waited for its finalizers.
 *
 * The caller must own the draft; its parts may be those of a stored object.
 */
export function writeRecord({ context, resource, record, dryRun }: RecordWrite, draft: Draft): JsonObject {
  const metadata = metadataOf(draft);
  if (dryRun) return dryRunResult(resource, draft);
  const isLast = isDeletable(resource, draft, record.object);
  const written = isLast
    ? // Watches report the object as it was last stored.
      context.store.delete(resource.bucket, record.key, record.revision, (revision) => ({
        ...record.object,
        metadata: { ...metadataOf(record.object), resourceVersion: String(revision) },
      }))
    : context.store.put(resource.bucket, record.key, record.revision, (revision) => {
        const own: Draft = Object.isFrozen(metadata) ? copyFields(metadata as Draft) : (metadata as Draft);
        own["resourceVersion"] = String(revision);
        draft["metadata"] = own;
        return resource.toStored(draft);
      });
  if (isLost(written)) throw modified(resource, textAt(metadata, "name"));
  // The write that ends an object responds with its last version.
  return isLast ? draft : resource.fromStored(written.object);
}

/** The response to a dry run: a custom resource as it would be read back. */
export function dryRunResult(resource: Resource, draft: Draft): JsonObject {
  return resource.origin === "custom" ? resource.fromStored(resource.toStored(draft)) : draft;
}
