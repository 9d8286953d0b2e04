import { copyFields, type JsonObject } from "@kubewright/core/json";
import { formatTime } from "@kubewright/core/meta";
import type { User } from "../access/index.js";
import { isLost, type StoredRecord } from "../storage/index.js";
import type { AdmissionRequest } from "./admission.js";
import { conflict, modified, notFound } from "./api-failure.js";
import { type Draft, metadataOf, numberAt, textAt, textsAt } from "./draft.js";
import { andThen, type Eventually } from "./eventually.js";
import { type Resource, readStored } from "./resource.js";
import { recordKey, timestamp, type WriteContext } from "./write-context.js";
import { lastVersion, type RecordWrite, withRevision, writeRecord } from "./write-record.js";

/** What happens to the dependents of a deleted object. */
export type PropagationPolicy = "Foreground" | "Background" | "Orphan";

/** The options of a delete. */
export interface DeleteOptions {
  readonly dryRun: boolean;
  readonly propagationPolicy?: PropagationPolicy;
  /** For kinds with graceful deletion. */
  readonly gracePeriodSeconds?: number;
  /** Whether the client sent the deprecated `orphanDependents: false`: the response is then a 202 if the object is only marked. */
  readonly cascades?: boolean;
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
  /** The options as the client sent them, for admission. @default none */
  readonly sent?: JsonObject;
}

/** A delete that passes through admission. */
export interface RequestedDelete extends DeleteOptions {
  readonly user: User;
  /** Whether the client deletes a collection: admission then sees no name. @default false */
  readonly isOfCollection?: boolean;
  /** Collects warnings for the client. */
  warn(message: string): void;
  /** Adds an annotation to the audit event of the request. */
  readonly annotate?: (key: string, value: string) => void;
}

/** The result of a delete: the object is gone, or marked with a deletionTimestamp until its finalizers are removed. */
export interface Deletion {
  readonly kind: "gone" | "marked";
  /** In its stored form. */
  readonly object: JsonObject;
}

/** Deletes an object, or sets its deletionTimestamp while finalizers hold it. */
export function deleteObject(
  context: WriteContext,
  resource: Resource,
  target: { readonly namespace: string; readonly name: string },
  options: RequestedDelete,
): Eventually<Deletion> {
  const key = recordKey(target.namespace, target.name);
  const live = (): StoredRecord => {
    const record = context.store.bucket(resource.bucket).get(key);
    if (!record) throw notFound(resource, target.name);
    checkPreconditions(resource, record, options);
    return record;
  };
  return andThen(readStored(resource, live().object), (old) => {
    const request: AdmissionRequest = {
      operation: "DELETE",
      resource,
      subresource: "",
      namespace: target.namespace,
      name: options.isOfCollection === true ? "" : target.name,
      user: options.user,
      dryRun: options.dryRun,
      options: () => ({ kind: "DeleteOptions", apiVersion: "meta.k8s.io/v1", ...options.sent }),
      warn: options.warn,
      ...(options.annotate && { annotate: options.annotate }),
      object: old as Draft,
      old,
    };
    return andThen(context.admission.mutate(request), () =>
      andThen(context.admission.validate(request), () => deleteRecord(context, resource, live(), options)),
    );
  });
}

/**
 * Deletes a record that the caller has just read, in one turn and without admission.
 *
 * It changes the stored form, without conversion. Kinds whose deletion strategy reads more than metadata are stored as they are served.
 */
export function deleteRecord(
  context: WriteContext,
  resource: Resource,
  record: StoredRecord,
  options: DeleteOptions,
): Deletion {
  const write = { context, resource, record, dryRun: options.dryRun };
  const old = record.object;
  const metadata = metadataOf(old);
  const before = textsAt(metadata, "finalizers");
  const finalizers = withPropagation(before, options.propagationPolicy ?? defaultPropagation(resource, before));
  const marked = metadata["deletionTimestamp"] !== undefined;
  const grace = graceOf(resource, old, options.gracePeriodSeconds);
  const draft = copyFields(old as Draft);
  const changed = copyFields(metadata as Draft);
  draft["metadata"] = changed;
  if (finalizers.length > 0) changed["finalizers"] = finalizers;
  else delete changed["finalizers"];
  const isShortened = marked && grace < pendingGrace(old);
  if (!marked || isShortened) {
    const startMs = marked
      ? Date.parse(textAt(metadata, "deletionTimestamp")) - durationMs(pendingGrace(old))
      : context.clock.now();
    changed["deletionTimestamp"] = formatTime(startMs + durationMs(grace));
    changed["deletionGracePeriodSeconds"] = grace;
  }
  // Kinds without graceful deletion have a grace period of zero, even while finalizers hold the object.
  const isHeld = marked && finalizers.length > 0 && resource.strategy.deletion?.graceSeconds === undefined;
  if (isHeld) changed["deletionGracePeriodSeconds"] = 0;
  if (!marked) {
    if (typeof changed["generation"] === "number" && changed["generation"] > 0) changed["generation"] += 1;
    resource.strategy.deletion?.mark?.(draft, timestamp(context.clock));
  }
  if (finalizers.length === 0 && resource.strategy.deletion?.isHeld?.(draft) !== true) {
    if (resource.strategy.deletion?.graceSeconds === undefined) return { kind: "gone", object: remove(write, old) };
    const last = (marked && !isShortened) || options.dryRun ? record : mark(write, draft);
    return { kind: "gone", object: remove({ ...write, record: last }, draft) };
  }
  const sameFinalizers = before.length === finalizers.length && before.every((one, index) => one === finalizers[index]);
  const sameGrace = changed["deletionGracePeriodSeconds"] === metadata["deletionGracePeriodSeconds"];
  const isSame = marked && sameFinalizers && sameGrace && !isShortened;
  if (isSame) return { kind: "marked", object: old };
  return { kind: "marked", object: writeRecord(write, draft) };
}

/** Kinds with graceful deletion are marked before they are removed, even with a grace period of zero: watches report both events. */
function mark({ context, resource, record }: RecordWrite, draft: Draft): StoredRecord {
  const marked = context.store.put(resource.bucket, record.key, record.revision, (revision) =>
    withRevision(draft, revision),
  );
  if (isLost(marked)) throw modified(resource, textAt(metadataOf(draft), "name"));
  return marked;
}

/** The grace period of a delete; for a terminating object it can only be shortened. */
function graceOf(resource: Resource, old: JsonObject, requested: number | undefined): number {
  if (metadataOf(old)["deletionTimestamp"] === undefined)
    return resource.strategy.deletion?.graceSeconds?.(old, requested) ?? 0;
  return Math.min(pendingGrace(old), Math.max(requested ?? Number.POSITIVE_INFINITY, 0));
}

function pendingGrace(object: JsonObject): number {
  return numberAt(metadataOf(object), "deletionGracePeriodSeconds");
}

/** Seconds in milliseconds. Like Go's Duration, an int64 of nanoseconds, it wraps around after 292 years. */
function durationMs(seconds: number | bigint): number {
  return Number(BigInt.asIntN(64, BigInt(seconds) * 1_000_000_000n) / 1_000_000n);
}

/** The default propagation policy of the kind; undefined if a finalizer already sets the policy. */
function defaultPropagation(resource: Resource, finalizers: readonly string[]): PropagationPolicy | undefined {
  const hasPolicyFinalizer = finalizers.includes("orphan") || finalizers.includes("foregroundDeletion");
  return hasPolicyFinalizer ? undefined : resource.strategy.deletion?.defaultPropagation;
}

function remove({ context, resource, record, dryRun }: RecordWrite, object: JsonObject): JsonObject {
  if (dryRun) return object;
  const gone = context.store.delete(resource.bucket, record.key, record.revision, (revision) =>
    lastVersion(object, revision),
  );
  if (isLost(gone)) throw modified(resource, textAt(metadataOf(object), "name"));
  return gone.object;
}

/** The finalizers, with the one that makes the garbage collector orphan the dependents or delete them first. */
function withPropagation(finalizers: readonly string[], policy: PropagationPolicy | undefined): string[] {
  if (policy === undefined) return [...finalizers];
  const others = finalizers.filter((finalizer) => finalizer !== "orphan" && finalizer !== "foregroundDeletion");
  if (policy === "Orphan") return [...others, "orphan"];
  return policy === "Foreground" ? [...others, "foregroundDeletion"] : others;
}

function checkPreconditions(resource: Resource, record: StoredRecord, { preconditions }: DeleteOptions): void {
  if (!preconditions) return;
  const metadata = metadataOf(record.object);
  // In precondition errors kube-apiserver names the kind instead of the resource.
  const subject = { ...resource, plural: resource.kind };
  const name = textAt(metadata, "name");
  const { uid, resourceVersion } = preconditions;
  if (uid !== undefined && uid !== textAt(metadata, "uid"))
    throw conflict(
      subject,
      name,
      `the UID in the precondition (${uid}) does not match the UID in record (${textAt(metadata, "uid")}). The object might have been deleted and then recreated`,
    );
  if (resourceVersion !== undefined && resourceVersion !== textAt(metadata, "resourceVersion"))
    throw conflict(
      subject,
      name,
      `the ResourceVersion in the precondition (${resourceVersion}) does not match the ResourceVersion in record (${textAt(metadata, "resourceVersion")}). The object might have been modified`,
    );
}
