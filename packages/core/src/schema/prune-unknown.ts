import { copyFields, getOwn, isJsonObject, type JsonObject, type JsonValue, setOwn } from "../json/index.js";
import { structureOf } from "./child-schema.js";
import type { Schema } from "./schema.js";

/** How {@link pruneUnknown} treats what the schema leaves open. */
export interface PruneOptions {
  /**
   * Keeps objects whose schema names no fields at all. Built-in kinds describe raw objects so; in a CRD such an object
   * is emptied. @default false
   */
  readonly keepOpaqueObjects?: boolean;
  /** Whether the value is an object with apiVersion, kind and metadata of its own. @default true */
  readonly isResource?: boolean;
}

/** What is left, and what was dropped. */
export interface Pruned {
  readonly value: JsonValue;
  /** Paths of the dropped fields, sorted: `spec.containers[0].foo`. */
  readonly unknownFields: readonly string[];
}

/**
 * Drops the fields of an object that its schema does not know.
 *
 * Keeps `apiVersion`, `kind` and `metadata` of the object itself and of embedded resources, whatever the schema says,
 * and everything under `x-kubernetes-preserve-unknown-fields`. Does not change the input; returns it when nothing is dropped.
 */
export function pruneUnknown(
  value: JsonValue,
  schema: Schema | undefined,
  { keepOpaqueObjects = false, isResource = true }: PruneOptions = {},
): Pruned {
  const unknownFields: string[] = [];
  const pruned = prune(value, schema, {
    path: "",
    isResource,
    unknownFields,
    keepOpaqueObjects,
    preserve: false,
  });
  return { value: pruned, unknownFields: unknownFields.sort() };
}

interface Place {
  readonly path: string;
  /** Whether the value is an object with metadata of its own. */
  readonly isResource: boolean;
  readonly unknownFields: string[];
  readonly keepOpaqueObjects: boolean;
  /** Whether a list around it preserves what it does not know. */
  readonly preserve: boolean;
}

const resourceFields: ReadonlySet<string> = new Set(["apiVersion", "kind", "metadata"]);

function prune(value: JsonValue, wrapped: Schema | undefined, place: Place): JsonValue {
  const schema = structureOf(wrapped);
  const preserve = place.preserve || schema?.["x-kubernetes-preserve-unknown-fields"] === true;
  if (Array.isArray(value)) {
    let items: JsonValue[] | undefined;
    for (const [index, item] of value.entries()) {
      const child: Place = { ...place, path: `${place.path}[${index}]`, isResource: false, preserve };
      const kept = preserve && schema?.items === undefined ? item : prune(item, schema?.items, child);
      if (kept === item) continue;
      items ??= [...value];
      items[index] = kept;
    }
    return items ?? value;
  }
  return isJsonObject(value) ? pruneObject(value, schema, { ...place, preserve }) : value;
}

function pruneObject(value: JsonObject, schema: Schema | undefined, place: Place): JsonValue {
  const isResource = place.isResource || schema?.["x-kubernetes-embedded-resource"] === true;
  if (place.keepOpaqueObjects && !place.isResource && isOpaque(schema)) return value;
  let fields: Record<string, JsonValue> | undefined;
  for (const [key, field] of Object.entries(value)) {
    if (isResource && resourceFields.has(key)) continue;
    const path = place.path === "" ? key : `${place.path}.${key}`;
    const property = schema?.properties && getOwn(schema.properties, key);
    const additional = schema?.additionalProperties;
    if (property !== undefined || additional !== undefined) {
      // `additionalProperties: true` says nothing about what is inside: the server prunes that. What `false` forbids is told later.
      const inner = property ?? (typeof additional === "object" ? additional : undefined);
      const kept = prune(field, inner, { ...place, path, isResource: false, preserve: false });
      if (kept === field) continue;
      fields ??= copyFields(value);
      setOwn(fields, key, kept);
    } else if (!place.preserve) {
      fields ??= copyFields(value);
      delete fields[key];
      place.unknownFields.push(path);
    }
  }
  return fields ?? value;
}

function isOpaque(schema: Schema | undefined): boolean {
  return schema === undefined || (schema.properties === undefined && schema.additionalProperties === undefined);
}
