import { OperatorError } from "@kubewright/core/errors";
import { formatApiVersion } from "@kubewright/core/identity";
import {
  getOwn,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  normaliseJson,
  parseJson,
  stringifyJson,
} from "@kubewright/core/json";
import { pruneUnknown, type Schema, validateValue } from "@kubewright/core/schema";
import type { ResourceDefinition } from "./define-resource.js";
import { lostParts, restoreLost } from "./restore-lost.js";
import { versionSchemas } from "./version-schemas.js";

/** The annotation that stores what the object's version cannot represent: per version, the lost values and what a round trip makes of them. */
export const lostAnnotation = "kubewright.dev/lost-in-conversion";

/**
 * Converts the object to another version of its kind, through the hub.
 *
 * Metadata and status are copied. Values that a version cannot represent are stored in an annotation and restored when converting back, so that
 * a round trip changes nothing; later changes override the stored values. With `lossy` they are dropped.
 *
 * Throws CONVERSION_FAILED, with the object's name and the versions, when the object is of another kind or of a version that is not
 * defined, and when a conversion function throws or does not return an object.
 */
export function convertObject(
  { definition }: { readonly definition: ResourceDefinition },
  object: JsonObject,
  version: string,
): JsonObject {
  const { group, kind, versions, hub } = definition;
  const from = typeof object["apiVersion"] === "string" ? object["apiVersion"] : "";
  const fail = (why: string, cause?: unknown): OperatorError =>
    new OperatorError(
      "CONVERSION_FAILED",
      `Cannot convert ${kind} "${nameOf(object)}" from "${from}" to "${formatApiVersion(group, version)}": ${why}`,
      { cause },
    );
  const source = Object.keys(versions).find((name) => formatApiVersion(group, name) === from);
  if (object["kind"] !== kind || source === undefined)
    throw fail(`it is not a ${kind} of "${group}" in a defined version`);
  if (!Object.hasOwn(versions, version)) throw fail(`version "${version}" is not defined`);
  const route = [source, hub, version].filter((name, index, all) => index === 0 || all[index - 1] !== name);
  try {
    let converted = normaliseJson(object) as JsonObject;
    for (let index = 1; index < route.length; index++)
      converted = step(definition, converted, route[index - 1] ?? source, route[index] ?? version);
    return converted;
  } catch (cause) {
    throw fail(cause instanceof Error ? cause.message : String(cause), cause);
  }
}

/** Converts between the hub and another version. */
function step(definition: ResourceDefinition, object: JsonObject, from: string, to: string): JsonObject {
  const { apiVersion: _, kind, metadata, ...body } = object;
  const lost = lostOf(metadata);
  const plain = plainly(definition, body, from, to);
  const kept = getOwn(lost, to);
  const converted = isJsonObject(kept) ? restored(plain, kept, schemaOf(definition, to)) : plain;
  const { [to]: _restored, [from]: _stale, ...others } = lost;
  const isLossy = conversionOf(definition, from, to).lossy === true;
  const parts = isLossy ? undefined : lostParts(body, plainly(definition, converted, to, from));
  const next = parts === undefined ? others : { ...others, [from]: { ...parts } };
  return {
    apiVersion: formatApiVersion(definition.group, to),
    ...(kind !== undefined && { kind }),
    ...(metadata !== undefined && { metadata: withLost(metadata, next) }),
    ...converted,
  };
}

/** Restored values must pass the schema: any client can write an annotation, and no server validates an object after its conversion. */
function restored(current: JsonObject, { before = {}, after = {} }: JsonObject, schema: Schema): JsonObject {
  const { value } = pruneUnknown(restoreLost(current, after, before), schema, { isResource: false });
  return isJsonObject(value) && validateValue(value, schema, {}).length === 0 ? value : current;
}

/** The result of the conversion function, and the status, pruned to the fields of the target version. */
function plainly(
  definition: ResourceDefinition,
  { status, ...body }: JsonObject,
  from: string,
  to: string,
): JsonObject {
  const conversion = conversionOf(definition, from, to);
  // A copy: the original is compared later, and a conversion function may mutate its argument.
  const given = normaliseJson(body) as JsonObject;
  const result = normaliseJson(to === definition.hub ? conversion.toHub(given) : conversion.fromHub(given));
  if (!isJsonObject(result)) throw new TypeError("the conversion function did not return an object");
  const { apiVersion: _, kind: __, metadata: ___, ...made } = result;
  return pruneUnknown({ ...(status !== undefined && { status }), ...made }, schemaOf(definition, to), {
    isResource: false,
  }).value as JsonObject;
}

function conversionOf({ conversions, hub }: ResourceDefinition, from: string, to: string) {
  return conversions?.[from === hub ? to : from] ?? { toHub: sameFields, fromHub: sameFields };
}

/** Without conversion functions only apiVersion changes, as with the strategy None. */
function sameFields(body: JsonObject): JsonObject {
  return body;
}

function schemaOf(definition: ResourceDefinition, version: string): Schema {
  return versionSchemas(definition).get(version) ?? {};
}

function lostOf(metadata: JsonValue | undefined): JsonObject {
  const annotations = isJsonObject(metadata) ? metadata["annotations"] : undefined;
  const text = isJsonObject(annotations) ? getOwn(annotations, lostAnnotation) : undefined;
  if (typeof text !== "string") return {};
  try {
    const value = parseJson(text);
    return isJsonObject(value) ? value : {};
  } catch {
    // The content of a malformed annotation is lost, but the object must stay readable.
    return {};
  }
}

function withLost(metadata: JsonValue, lost: JsonObject): JsonValue {
  if (!isJsonObject(metadata)) return metadata;
  const { annotations, ...rest } = metadata;
  const { [lostAnnotation]: _, ...others } = isJsonObject(annotations) ? annotations : {};
  const next = {
    ...others,
    ...(Object.keys(lost).length > 0 && { [lostAnnotation]: stringifyJson(lost) }),
  };
  return { ...rest, ...(Object.keys(next).length > 0 && { annotations: next }) };
}

function nameOf({ metadata }: JsonObject): string {
  if (!isJsonObject(metadata)) return "";
  const { namespace, name } = metadata;
  return typeof namespace === "string" && namespace !== "" ? `${namespace}/${String(name)}` : String(name ?? "");
}
