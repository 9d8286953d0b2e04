import { formatApiVersion } from "@kubewright/core/identity";
import { deepFreeze, type JsonObject } from "@kubewright/core/json";
import { formatTime } from "@kubewright/core/meta";
import type { Draft, DraftValue } from "./draft.js";
import { isDraft, textAt } from "./draft.js";
import type { Resource } from "./resource.js";
import { recordKey, type WriteContext } from "./write-context.js";

/** Structs of every object, which no field manager owns as a whole. */
const unownedStructs = ["metadata", "spec"];

/** Atomic structs, which have no owned parts. */
const atomicStructs = ["roleRef"];

/** A bootstrap object with its defaults. */
export interface PrebuiltObject {
  readonly body: Draft;
  readonly manager: string;
  /** The fields of the body that another field manager applied. @default none */
  readonly applied?: { readonly manager: string; readonly fields: readonly string[] };
}

/**
 * Stores a bootstrap object without the steps of a create, as if `manager` had created it.
 *
 * Fast enough for the many objects of a new cluster: nothing is validated or defaulted. The body must have its defaults, and no associative
 * lists. The object must not exist. Frozen parts of the body are shared between clusters.
 */
export function storePrebuilt(context: WriteContext, resource: Resource, object: PrebuiltObject): void {
  const { clock, newUid } = context;
  const make = prebuiltObject({ nowMs: clock.now(), newUid }, resource, object);
  context.store.put(resource.bucket, keyOfPrebuilt(object), 0, make);
}

/** The key of a bootstrap object in its bucket. */
export function keyOfPrebuilt({ body }: PrebuiltObject): string {
  const metadata: Draft = isDraft(body["metadata"]) ? body["metadata"] : {};
  return recordKey(textAt(metadata, "namespace"), textAt(metadata, "name"));
}

/** Makes a bootstrap object as it is stored at a revision. */
export function prebuiltObject(
  context: { readonly nowMs: number; newUid(): string },
  resource: Resource,
  object: PrebuiltObject,
): (revision: number) => JsonObject {
  const { metadata, status, ...rest } = object.body;
  const given: Draft = isDraft(metadata) ? metadata : {};
  const time = formatTime(context.nowMs);
  const apiVersion = formatApiVersion(resource.group, resource.version);
  // Frozen: their fieldsV1 are shared already, and the store need not compare them with others.
  const managedFields = deepFreeze(
    ownershipOf(object).map(({ manager, operation, fieldsV1 }) => ({
      manager,
      operation,
      apiVersion,
      time,
      fieldsType: "FieldsV1",
      fieldsV1,
    })),
  );
  return (revision) => ({
    apiVersion,
    kind: resource.kind,
    metadata: {
      ...given,
      uid: context.newUid(),
      resourceVersion: String(revision),
      ...(resource.strategy.isNewGeneration ? { generation: 1 } : {}),
      creationTimestamp: time,
      managedFields,
    },
    ...rest,
    ...(status === undefined ? {} : { status }),
  });
}

/** The fields that one manager owns of a bootstrap object. */
interface Ownership {
  readonly manager: string;
  readonly operation: "Apply" | "Update";
  readonly fieldsV1: Draft;
}

/** By frozen body, which all clusters of the process share. */
const known = new WeakMap<Draft, readonly Ownership[]>();

function ownershipOf(object: PrebuiltObject): readonly Ownership[] {
  const { body, manager, applied } = object;
  const found = known.get(body);
  if (found !== undefined) return found;
  const { metadata, status: _, ...rest } = body;
  const { name: __, namespace: ___, ...owned } = isDraft(metadata) ? metadata : {};
  const fields: Draft = { ...(Object.keys(owned).length > 0 && { metadata: owned }), ...rest };
  const names = applied?.fields ?? [];
  const part = (isApplied: boolean): Draft =>
    fieldsOf(Object.fromEntries(Object.entries(fields).filter(([name]) => names.includes(name) === isApplied)), "");
  const made: Ownership[] = [
    ...(applied ? [{ manager: applied.manager, operation: "Apply" as const, fieldsV1: part(true) }] : []),
    { manager, operation: "Update", fieldsV1: part(false) },
  ];
  if (Object.isFrozen(body)) known.set(body, deepFreeze(made) as readonly Ownership[]);
  return made;
}

function fieldsOf(value: DraftValue, key: string): Draft {
  if (!isDraft(value) || atomicStructs.includes(key)) return {};
  const fields: Draft = key === "" || unownedStructs.includes(key) ? {} : { ".": {} };
  for (const [name, inner] of Object.entries(value)) fields[`f:${name}`] = fieldsOf(inner, name);
  return fields;
}
