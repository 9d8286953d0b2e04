import { getOwn, isJsonObject, type JsonObject, type JsonValue } from "../json/index.js";
import { type FieldError, forbidden, invalid, notSupported, required } from "./field-error.js";
import { flag, schemasAt, textOf } from "./schema-children.js";

/** Validates the `x-kubernetes-list-*` keywords. Adds to `errors`. */
export function checkListKeywords(schema: JsonObject, path: string, errors: FieldError[]): void {
  const listType = getOwn(schema, "x-kubernetes-list-type");
  const keys = keysOf(schema);
  const items = getOwn(schema, "items");
  const place = `${path}.x-kubernetes-list-type`;
  if (listType !== undefined) {
    const type = textOf(schema, "type");
    if (type !== "array") {
      const detail = "must be array if x-kubernetes-list-type is specified";
      errors.push(type === "" ? required(`${path}.type`, detail) : invalid(`${path}.type`, type, detail));
    } else if (listType === "set" && isJsonObject(items)) checkSetItems(items, path, errors);
    if (listType !== "atomic" && listType !== "set" && listType !== "map") {
      errors.push(notSupported(place, listType, ["atomic", "set", "map"]));
    }
  }
  if (keys.length > 0 && listType !== "map") {
    const detail = "must be map if x-kubernetes-list-map-keys is non-empty";
    errors.push(listType === undefined ? required(place, detail) : invalid(place, listType, detail));
  }
  if (listType === "map") checkMapItems(items, keys, path, errors);
  if (!isJsonObject(items)) return;
  if ((listType === "set" || listType === "map") && flag(items, "nullable"))
    errors.push(forbidden(`${path}.items.nullable`, `cannot be nullable when x-kubernetes-list-type is ${listType}`));
  if (listType === "map") checkKeyProperties(items, keys, path, errors);
}

function keysOf(schema: JsonObject): string[] {
  const keys = getOwn(schema, "x-kubernetes-list-map-keys");
  return Array.isArray(keys) ? keys.filter((key): key is string => typeof key === "string") : [];
}

function checkSetItems(items: JsonObject, path: string, errors: FieldError[]): void {
  const type = getOwn(items, "type");
  const listType = getOwn(items, "x-kubernetes-list-type");
  const detail = "must be atomic as item of a list with x-kubernetes-list-type=set";
  if (type === "array" && listType !== undefined && listType !== "atomic") {
    errors.push(invalid(`${path}.items.x-kubernetes-list-type`, listType, detail));
  }
  if (type === "object" && getOwn(items, "x-kubernetes-map-type") !== "atomic") {
    // kube-apiserver reports the list type here, which objects do not have.
    errors.push(invalid(`${path}.items.x-kubernetes-map-type`, listType ?? null, detail));
  }
}

function checkMapItems(
  items: JsonValue | undefined,
  keys: readonly string[],
  path: string,
  errors: FieldError[],
): void {
  const keysPath = `${path}.x-kubernetes-list-map-keys`;
  if (keys.length === 0) errors.push(required(keysPath, "must not be empty if x-kubernetes-list-type is map"));
  if (!isJsonObject(items)) {
    errors.push(required(`${path}.items`, "must have a schema if x-kubernetes-list-type is map"));
    return;
  }
  const type = textOf(items, "type");
  if (type !== "object") {
    const detail = "must be object if parent array's x-kubernetes-list-type is map";
    errors.push(invalid(`${path}.items.type`, type, detail));
    return;
  }
  const properties = new Map(schemasAt(items, "properties"));
  for (const [index, key] of keys.entries()) {
    const property = properties.get(key);
    if (property === undefined) {
      errors.push(invalid(keysPath, keys, "entries must all be names of item properties"));
    } else if (["array", "object"].includes(textOf(property, "type"))) {
      const detail = "must be a scalar type if parent array's x-kubernetes-list-type is map";
      errors.push(invalid(`${path}.items.properties[${key}].type`, type, detail));
    }
    if (keys.indexOf(key) < index) errors.push(invalid(keysPath, keys, "must not contain duplicate entries"));
  }
}

/** List map keys identify items, so every key must be required or have a default, and must not be nullable. */
function checkKeyProperties(items: JsonObject, keys: readonly string[], path: string, errors: FieldError[]): void {
  const properties = new Map(schemasAt(items, "properties"));
  const requiredFields = getOwn(items, "required");
  for (const key of keys) {
    const property = properties.get(key);
    if (property === undefined) continue;
    const place = `${path}.items.properties[${key}]`;
    const isRequired = Array.isArray(requiredFields) && requiredFields.includes(key);
    if (!isRequired && getOwn(property, "default") === undefined) {
      const detail =
        "this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property";
      errors.push(required(`${place}.default`, detail));
    }
    if (flag(property, "nullable")) {
      const detail = "this property is in x-kubernetes-list-map-keys, so it cannot be nullable";
      errors.push(forbidden(`${place}.nullable`, detail));
    }
  }
}
