import { FieldSet, type KindVersions, updatedManagers } from "@kubewright/core/apply";
import { formatApiVersion } from "@kubewright/core/identity";
import { copyFields, type JsonObject } from "@kubewright/core/json";
import { childDraft, type Draft, type DraftValue, isDraft, keepFrom, textAt } from "./draft.js";
import { mergeSchemaOf, type Resource } from "./resource.js";
import { isStoredPart } from "./stored-part.js";
import type { Strategy } from "./strategy.js";
import type { WriteOptions } from "./write-context.js";

/** A create, update or patch whose field ownership is tracked. */
export interface TrackedWrite {
  readonly resource: Resource;
  /** Undefined for a create. */
  readonly old: JsonObject | undefined;
  readonly next: Draft;
  readonly options: Pick<WriteOptions, "manager">;
  readonly time: string;
  readonly subresource: string;
  /** The versions in which field managers own fields. @default those of the resource */
  readonly versions?: KindVersions;
}

/** Updates `metadata.managedFields` of the draft in place, and returns the draft. */
export function trackWrite(write: TrackedWrite): Draft {
  const { resource, old, next, options, time, subresource, versions = resource.versions } = write;
  // Ownership is tracked by kind: an object of another one, which admission may still correct, has none. Garbage collection writes metadata only.
  const isOther = resource.origin === "custom" && !["", resource.kind].includes(textAt(next, "kind"));
  const entries = isOther
    ? undefined
    : updatedManagers({
        live: old ?? resource.strategy.fields?.empty,
        object: next,
        manager: options.manager,
        apiVersion: formatApiVersion(resource.group, resource.version),
        schema: mergeSchemaOf(resource),
        time,
        subresource,
        // Also those that the new object lacks.
        ignoredFields: ignoredFields(resource, subresource, subresource === "status" ? { ...old, ...next } : next),
        versions,
      });
  let metadata = childDraft(next, "metadata");
  if (isStoredPart(metadata)) {
    metadata = copyFields(metadata);
    next["metadata"] = metadata;
  }
  if (entries === undefined) delete metadata["managedFields"];
  // Unchanged entries are parts of a stored object.
  else metadata["managedFields"] = entries as DraftValue;
  return next;
}

const knownSets = new WeakMap<Strategy, Map<string, FieldSet>>();

/** A cached field set that depends only on the kind and on `id`. */
function knownSet(strategy: Strategy, id: string, make: () => FieldSet): FieldSet {
  let sets = knownSets.get(strategy);
  // Custom resources may have any fields: the cache is bounded.
  if (sets === undefined || sets.size > 100) {
    sets = new Map();
    knownSets.set(strategy, sets);
  }
  let set = sets.get(id);
  if (set === undefined) {
    set = make();
    sets.set(id, set);
  }
  return set;
}

const onlyStatus = FieldSet.of(["status"]);

/** Fields that an endpoint does not write: the main endpoint excludes the status, the status subresource all but the status. */
export function ignoredFields(resource: Resource, subresource: string, object: JsonObject): FieldSet {
  if (subresource === "status") {
    // The status subresource of a built-in kind also writes metadata, except `resetOnStatus`.
    if (resource.origin === "builtin")
      return knownSet(resource.strategy, "status", () => {
        const kept = Object.keys(resource.schema()?.properties ?? {}).filter((key) => !/^(metadata|status)$/.test(key));
        return FieldSet.of(...(resource.strategy.fields?.resetOnStatus ?? []), ...kept.map((key) => [key]));
      });
    const kept = Object.keys(object).filter((key) => key !== "status");
    return knownSet(resource.strategy, kept.join("/"), () => FieldSet.of(...kept.map((key) => [key])));
  }
  const { reset, ownAllOn } = resource.strategy.fields ?? {};
  if (ownAllOn?.includes(subresource)) return FieldSet.empty;
  if (reset) return knownSet(resource.strategy, "", () => FieldSet.of(["status"], ...reset));
  return resource.subresources.some((part) => part.name === "status") ? onlyStatus : FieldSet.empty;
}

/** Restores managedFields that a mutating plugin made invalid, with a warning. */
export function keepValidManagers(metadata: Draft, before: JsonObject, warn: (message: string) => void): void {
  const { managedFields: entries = [] } = metadata;
  if (entries === before["managedFields"] || (Array.isArray(entries) && entries.every(isManager))) return;
  warn(
    ".metadata.managedFields was in an invalid state after admission; this could be caused by an outdated mutating admission controller; please fix your requests: error decoding managedFields",
  );
  keepFrom(metadata, before, "managedFields");
}

function isManager(entry: DraftValue): boolean {
  if (!isDraft(entry)) return false;
  const { fieldsV1, fieldsType, operation } = entry;
  const isKnown = fieldsType === "FieldsV1" && (operation === "Apply" || operation === "Update");
  return isKnown && (fieldsV1 === undefined || isFieldSet(fieldsV1));
}

/** Whether a value is a set of fields: its keys are steps of a path, its values are sets. */
function isFieldSet(value: DraftValue): boolean {
  return (
    isDraft(value) &&
    Object.entries(value).every(([step, inner]) => (step === "." || /^[fkvi]:/.test(step)) && isFieldSet(inner))
  );
}
