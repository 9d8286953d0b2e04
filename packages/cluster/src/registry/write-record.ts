import { copyFields, type JsonObject } from "@kubewright/core/json";
import { isLost, type StoredRecord } from "../storage/index.js";
import { modified } from "./api-failure.js";
import { childDraft, type Draft, metadataOf, textAt, textsAt } from "./draft.js";
import type { Resource } from "./resource.js";
import type { WriteContext } from "./write-context.js";

/** Whether a terminating object has no finalizers and no grace period left. */
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

/** The record that {@link writeRecord} replaces. */
export interface RecordWrite {
  readonly context: WriteContext;
  readonly resource: Resource;
  readonly record: StoredRecord;
  readonly dryRun: boolean;
}

/**
 * Stores a changed object, or removes a terminating one whose last finalizer is gone. Returns it in its stored form.
 *
 * `draft` is in stored form too. The caller must own it; its parts may be those of a stored object.
 */
export function writeRecord({ context, resource, record, dryRun }: RecordWrite, draft: Draft): JsonObject {
  if (dryRun) return draft;
  const { bucket } = resource;
  const isLast = isDeletable(resource, draft, record.object);
  const written = isLast
    ? // The DELETED event has the object as last stored.
      context.store.delete(bucket, record.key, record.revision, (revision) => lastVersion(record.object, revision))
    : context.store.put(bucket, record.key, record.revision, (revision) => withRevision(draft, revision));
  if (isLost(written)) throw modified(resource, textAt(metadataOf(draft), "name"));
  // The write that removes the last finalizer responds with the new object.
  return isLast ? draft : written.object;
}

/** Sets the resourceVersion of a draft in place, and returns the draft. */
export function withRevision(draft: Draft, revision: number): Draft {
  let metadata = childDraft(draft, "metadata");
  if (Object.isFrozen(metadata)) {
    metadata = copyFields(metadata);
    draft["metadata"] = metadata;
  }
  metadata["resourceVersion"] = String(revision);
  return draft;
}

/** A stored object as its DELETED event reports it. */
export function lastVersion(stored: JsonObject, revision: number): JsonObject {
  return { ...stored, metadata: { ...metadataOf(stored), resourceVersion: String(revision) } };
}
