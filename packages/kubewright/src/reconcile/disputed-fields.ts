import type { ManagedFieldsEntry } from "@kubewright/core/identity";
import { deepEqual, getOwn, isJsonObject, type JsonObject, type JsonValue, parseJson } from "@kubewright/core/json";

/** A field whose desired and live values differ. */
export interface DisputedField {
  /** Such as `.spec.template.spec.containers[name="web"].image`. */
  readonly path: string;
  readonly before: JsonValue | undefined;
  readonly after: JsonValue;
  /** The other field managers that own its present value. */
  readonly managers: readonly string[];
}

/** The part of a managedFields entry below a path. */
interface OwnedFields {
  readonly manager: string;
  readonly fields: JsonObject;
}

/** A path in an object, and the field managers that own fields below it. */
interface Place {
  readonly path: string;
  readonly depth: number;
  readonly owned: readonly OwnedFields[];
}

const noManagers: readonly string[] = [];
const maxFields = 20;
const maxDepth = 16;

/** The fields whose value in `desired` differs from `live`, at most twenty, each with its owners other than `manager`. */
export function disputedFields(live: JsonObject, desired: JsonObject, manager: string): readonly DisputedField[] {
  const { metadata, apiVersion: _, kind: __, ...rest } = desired;
  const found: DisputedField[] = [];
  const owned = entriesOf(live)
    .filter((entry) => entry.manager !== manager && (entry.subresource ?? "") === "")
    .map((entry) => ({ manager: entry.manager ?? "", fields: (entry.fieldsV1 ?? {}) as JsonObject }));
  collect({ ...rest, ...labelsOf(metadata) }, live, { path: "", depth: 0, owned }, found);
  return found;
}

/** The fields in which `after` differs from `before`, at most twenty, without owners; their paths begin with `path`. */
export function changedFields(path: string, before: JsonObject, after: JsonObject): readonly DisputedField[] {
  const found: DisputedField[] = [];
  collect(after, before, { path, depth: 1, owned: [] }, found);
  return found;
}

/** The metadata that is desired state, not identity. */
function labelsOf(metadata: JsonValue | undefined): JsonObject {
  if (!isJsonObject(metadata)) return {};
  const { labels, annotations } = metadata;
  const wished = { ...(labels !== undefined && { labels }), ...(annotations !== undefined && { annotations }) };
  return Object.keys(wished).length === 0 ? {} : { metadata: wished };
}

/** The field manager other than `manager` that wrote to an object last; undefined when there is none. */
export function lastOtherManager(live: JsonObject, manager: string): string | undefined {
  let last: ManagedFieldsEntry | undefined;
  for (const entry of entriesOf(live)) {
    if (entry.manager !== manager && (entry.time ?? "") >= (last?.time ?? "")) last = entry;
  }
  return last?.manager;
}

function entriesOf(live: JsonObject): readonly ManagedFieldsEntry[] {
  const { metadata } = live;
  const entries = isJsonObject(metadata) ? metadata["managedFields"] : undefined;
  return Array.isArray(entries) ? (entries as unknown as readonly ManagedFieldsEntry[]) : [];
}

function collect(after: JsonValue, before: JsonValue | undefined, place: Place, found: DisputedField[]): void {
  const { path, depth, owned } = place;
  if (found.length >= maxFields || deepEqual(after, before)) return;
  if (isJsonObject(after) && (isJsonObject(before) || Object.keys(after).length === 0) && depth < maxDepth) {
    for (const [name, value] of Object.entries(after)) {
      const current = isJsonObject(before) ? getOwn(before, name) : undefined;
      if (current === value) continue;
      const shown = /^[A-Za-z0-9_-]+$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`;
      collect(value, current, { path: path + shown, depth: depth + 1, owned: descend(owned, `f:${name}`) }, found);
    }
  } else if (Array.isArray(after) && Array.isArray(before) && depth < maxDepth && after.every(isNamed)) {
    // Where Kubernetes merges a list by key, the name is part of the key; managedFields hold the rest of it.
    for (const item of after) {
      const name = (item as { readonly name: string }).name;
      const fits = (other: JsonValue): boolean => isJsonObject(other) && other["name"] === name;
      const within = owned.flatMap(({ manager, fields }) =>
        Object.entries(fields).flatMap(([member, node]) =>
          isJsonObject(node) && member.startsWith("k:") && fits(parsed(member.slice(2)))
            ? [{ manager, fields: node }]
            : [],
        ),
      );
      const at = { path: `${path}[name=${JSON.stringify(name)}]`, depth: depth + 1, owned: within };
      collect(item, before.find(fits), at, found);
    }
  } else {
    const managers = owned.length === 0 ? noManagers : [...new Set(owned.map(({ manager }) => manager))];
    found.push({ path, before, after, managers });
  }
}

function descend(owned: readonly OwnedFields[], member: string): readonly OwnedFields[] {
  if (owned.length === 0) return owned;
  return owned.flatMap(({ manager, fields }) => {
    const node = getOwn(fields, member);
    return isJsonObject(node) ? [{ manager, fields: node }] : [];
  });
}

function isNamed(item: JsonValue): boolean {
  return isJsonObject(item) && typeof item["name"] === "string";
}

function parsed(text: string): JsonValue {
  try {
    return parseJson(text);
  } catch {
    return null;
  }
}
