import { copyFields, getOwn, isJsonObject, type JsonObject, type JsonValue, setOwn } from "../json/index.js";
import { structureOf } from "./child-schema.js";
import type { Schema } from "./schema.js";

/** Options of {@link pruneUnknown}. */
export interface PruneOptions {
  /**
   * Keeps the fields of objects whose schema declares none, as built-in kinds do for RawExtension. In a CRD the fields of such
   * an object are pruned. @default false
   */
  readonly keepOpaqueObjects?: boolean;
  /** Whether the value is a resource with apiVersion, kind and metadata. @default true */
  readonly isResource?: boolean;
}

/** The pruned value, and the pruned fields. */
export interface Pruned {
  readonly value: JsonValue;
  /** Paths of the pruned fields, sorted: `spec.containers[0].foo`. */
  readonly unknownFields: readonly string[];
}

/**
 * Prunes the fields of an object that its schema does not declare.
 *
 * Always keeps `apiVersion`, `kind` and `metadata` of the object itself and of embedded resources, and everything under
 * `x-kubernetes-preserve-unknown-fields`. Does not modify its input; returns it if nothing is pruned.
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
  /** Whether the value is a resource with metadata. */
  readonly isResource: boolean;
  readonly unknownFields: string[];
  readonly keepOpaqueObjects: boolean;
  /** Whether an enclosing list preserves unknown fields. */
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
      // kube-apiserver prunes below `additionalProperties: true`. Validation reports what `false` forbids.
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
