import { OperatorError } from "@kubewright/core/errors";
import { formatApiVersion, type ObjectMeta } from "@kubewright/core/identity";
import { isJsonObject } from "@kubewright/core/json";
import { withoutManagedFields } from "@kubewright/core/meta";
import type { TransportResponse } from "@kubewright/core/transport";
import { withProperties } from "../decode/index.js";
import type { AnyKind, ReadOf } from "../definition/index.js";
import type { ListPage } from "./client-options.js";
import { isMetadataOnly } from "./metadata-only.js";

/** The object of a response. */
export function asObject<K extends AnyKind>(kind: K, { body }: Pick<TransportResponse, "body">): ReadOf<K> {
  if (!isJsonObject(body) || !isJsonObject(body["metadata"])) {
    throw new OperatorError(
      "TRANSPORT_FAILED",
      `Cannot read the answer for ${kind.kind}: it is not an object with metadata`,
    );
  }
  return (isMetadataOnly(kind) ? metadataPart(kind, body) : body) as unknown as ReadOf<K>;
}

/** The metadata of an object, under the object's own type: `PartialObjectMetadata` names none that others could refer to. */
export function metadataPart(kind: AnyKind, body: { readonly metadata?: unknown }): object {
  return { apiVersion: formatApiVersion(kind.group, kind.version), kind: kind.kind, metadata: body.metadata };
}

/** A page of a list from a response; with `lean`, its objects come without their managedFields. */
export function asPage<K extends AnyKind>(kind: K, body: unknown, lean: boolean): ListPage<K> {
  const list = isJsonObject(body) ? body : {};
  const { metadata } = list;
  // A real server has null for an empty list of metadata.
  const items = list["items"] === null ? [] : list["items"];
  if (list["kind"] === "Table" || !Array.isArray(items) || !isJsonObject(metadata)) {
    throw new OperatorError("TRANSPORT_FAILED", `Cannot list ${kind.kind} objects: the answer is not a list`);
  }
  const apiVersion = formatApiVersion(kind.group, kind.version);
  const partial = isMetadataOnly(kind);
  const objects = items.map((sent: unknown) => {
    if (!isJsonObject(sent)) return sent as unknown as ReadOf<K>;
    const item = lean ? withoutManagedFields(sent) : sent;
    // Items of built-in kinds travel without their type; readers of one object must not have to know where it came from.
    const object = partial
      ? metadataPart(kind, item)
      : item["kind"] === undefined
        ? withProperties(item, { apiVersion, kind: kind.kind })
        : item;
    return object as unknown as ReadOf<K>;
  });
  const { resourceVersion, continue: next, remainingItemCount } = metadata;
  return {
    items: objects,
    resourceVersion: typeof resourceVersion === "string" ? resourceVersion : "",
    continue: typeof next === "string" && next !== "" ? next : undefined,
    remainingItemCount: typeof remainingItemCount === "number" ? remainingItemCount : undefined,
  };
}

/**
 * Whether a write deleted its object: it was terminating, and neither a finalizer nor a grace period is left. The resourceVersion of the response is
 * then the one before, which is of no use.
 */
export function isGone(object: unknown): boolean {
  const { deletionTimestamp, finalizers = [], deletionGracePeriodSeconds = 0 } = metadataOf(object as object);
  if (deletionTimestamp === undefined) return false;
  return finalizers.length === 0 && deletionGracePeriodSeconds === 0 && !isHeldNamespace(object);
}

/** Namespaces have a list of finalizers of their own. */
function isHeldNamespace(object: unknown): boolean {
  const { kind, spec } = object as {
    readonly kind?: unknown;
    readonly spec?: { readonly finalizers?: readonly unknown[] };
  };
  return kind === "Namespace" && (spec?.finalizers?.length ?? 0) > 0;
}

/** A 404 for a path that is not served is not about the object: the kind is missing, which is an error. */
export function isAboutObject(details: { readonly name?: string } | undefined): boolean {
  return details?.name !== undefined && details.name !== "";
}

/** The metadata of whatever is an object. */
export function metadataOf(object: object): Partial<ObjectMeta> {
  return "metadata" in object && typeof object.metadata === "object" && object.metadata !== null ? object.metadata : {};
}
