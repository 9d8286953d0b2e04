import type { ManagedFieldsEntry } from "@kubewright/core/identity";
import { deepEqual, getOwn, isJsonObject, type JsonObject, type JsonValue } from "@kubewright/core/json";

/** A field that is to have another value than it has. */
export interface DisputedField {
  /** Such as `.spec.template.spec.containers[name="web"].image`. */
  readonly path: string;
  readonly before: JsonValue | undefined;
  readonly after: JsonValue;
  /** The field managers, other than the one who asks, to whom its present value belongs. */
  readonly managers: readonly string[];
}

interface Claim {
  readonly manager: string;
  readonly fields: JsonObject;
}

const noClaims: readonly Claim[] = [];
const noManagers: readonly string[] = [];
const maxFields = 20;
const maxDepth = 16;

/** The fields that `desired` gives another value than `live` has, at most twenty, with whose they are beside `manager`. */
export function disputedFields(live: JsonObject, desired: JsonObject, manager: string): readonly DisputedField[] {
  const { metadata, apiVersion: _, kind: __, ...rest } = desired;
  const found: DisputedField[] = [];
  const claims = entriesOf(live)
    .filter((entry) => entry.manager !== manager && (entry.subresource ?? "") === "")
    .map((entry) => ({ manager: entry.manager ?? "", fields: (entry.fieldsV1 ?? {}) as JsonObject }));
  collect({ ...rest, ...labelsOf(metadata) }, live, claims, "", 0, found);
  return found;
}

/** The fields in which `after` differs from `before`, at most twenty, where nobody else has a say; their paths begin with `path`. */
export function changedFields(path: string, before: JsonObject, after: JsonObject): readonly DisputedField[] {
  const found: DisputedField[] = [];
  collect(after, before, noClaims, path, 1, found);
  return found;
}

/** What of an object's metadata is a wish, not an identity. */
function labelsOf(metadata: JsonValue | undefined): JsonObject {
  if (!isJsonObject(metadata)) return {};
  const { labels, annotations } = metadata;
  const wished = { ...(labels !== undefined && { labels }), ...(annotations !== undefined && { annotations }) };
  return Object.keys(wished).length === 0 ? {} : { metadata: wished };
}

/** Who, beside `manager`, wrote to an object last; undefined when nobody did. */
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

function collect(
  after: JsonValue,
  before: JsonValue | undefined,
  claims: readonly Claim[],
  path: string,
  depth: number,
  found: DisputedField[],
): void {
  if (found.length >= maxFields || deepEqual(after, before)) return;
  if (isJsonObject(after) && (isJsonObject(before) || Object.keys(after).length === 0) && depth < maxDepth) {
    for (const [name, value] of Object.entries(after)) {
      const current = isJsonObject(before) ? getOwn(before, name) : undefined;
      if (current === value) continue;
      const shown = /^[A-Za-z0-9_-]+$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`;
      collect(value, current, descend(claims, `f:${name}`), path + shown, depth + 1, found);
    }
  } else if (Array.isArray(after) && Array.isArray(before) && depth < maxDepth && after.every(isNamed)) {
    // Items with a name are told apart by it wherever Kubernetes tells items apart; what else makes up their key is in the claim.
    for (const item of after) {
      const name = (item as { readonly name: string }).name;
      const fits = (other: JsonValue): boolean => isJsonObject(other) && other["name"] === name;
      const within = claims.flatMap(({ manager, fields }) =>
        Object.entries(fields).flatMap(([member, node]) =>
          isJsonObject(node) && member.startsWith("k:") && fits(parsed(member.slice(2)))
            ? [{ manager, fields: node }]
            : [],
        ),
      );
      collect(item, before.find(fits), within, `${path}[name=${JSON.stringify(name)}]`, depth + 1, found);
    }
  } else {
    const managers = claims.length === 0 ? noManagers : [...new Set(claims.map(({ manager }) => manager))];
    found.push({ path, before, after, managers });
  }
}

function descend(claims: readonly Claim[], member: string): readonly Claim[] {
  if (claims.length === 0) return claims;
  return claims.flatMap(({ manager, fields }) => {
    const node = getOwn(fields, member);
    return isJsonObject(node) ? [{ manager, fields: node }] : [];
  });
}

function isNamed(item: JsonValue): boolean {
  return isJsonObject(item) && typeof item["name"] === "string";
}

function parsed(text: string): JsonValue {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
