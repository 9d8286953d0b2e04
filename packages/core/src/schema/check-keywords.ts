import { getOwn, isJsonObject, type JsonObject, type JsonValue } from "../json/index.js";
import { type FieldError, forbidden, invalid, notSupported, required } from "./field-error.js";

const maxDepth = 200;

const types: readonly string[] = ["array", "boolean", "integer", "number", "object", "string"];
const unsupported: readonly string[] = [
  "$ref",
  "id",
  "additionalItems",
  "patternProperties",
  "definitions",
  "dependencies",
];

type Shape = "string" | "boolean" | "number" | "count" | "schema" | "schemas" | "branches" | "strings" | "list" | "any";

/** Every keyword that a schema of a CRD may have, with the shape of its value. */
const shapes: ReadonlyMap<string, Shape> = new Map<string, Shape>([
  ["type", "string"],
  ["title", "string"],
  ["description", "string"],
  ["format", "string"],
  ["pattern", "string"],
  ["properties", "schemas"],
  ["additionalProperties", "any"],
  ["items", "schema"],
  ["required", "strings"],
  ["enum", "list"],
  ["default", "any"],
  ["example", "any"],
  ["externalDocs", "any"],
  ["nullable", "boolean"],
  ["minimum", "number"],
  ["maximum", "number"],
  ["exclusiveMinimum", "boolean"],
  ["exclusiveMaximum", "boolean"],
  ["multipleOf", "number"],
  ["minLength", "count"],
  ["maxLength", "count"],
  ["minItems", "count"],
  ["maxItems", "count"],
  ["uniqueItems", "boolean"],
  ["minProperties", "count"],
  ["maxProperties", "count"],
  ["allOf", "branches"],
  ["anyOf", "branches"],
  ["oneOf", "branches"],
  ["not", "schema"],
  ["x-kubernetes-preserve-unknown-fields", "boolean"],
  ["x-kubernetes-embedded-resource", "boolean"],
  ["x-kubernetes-int-or-string", "boolean"],
  ["x-kubernetes-list-type", "string"],
  ["x-kubernetes-list-map-keys", "strings"],
  ["x-kubernetes-map-type", "string"],
  ["x-kubernetes-validations", "list"],
]);

/** Checks each keyword by itself, and those that depend on one another, through the whole schema. Adds to `errors`. */
export function checkKeywords(
  schema: JsonObject,
  path: string,
  errors: FieldError[],
  isRoot: boolean,
  depth: number,
): void {
  if (depth > maxDepth) {
    errors.push(forbidden(path, `must not be nested deeper than ${maxDepth} levels`));
    return;
  }
  for (const keyword of unsupported) {
    if (getOwn(schema, keyword) !== undefined)
      errors.push(forbidden(`${path}.${keyword}`, `${keyword} is not supported`));
  }
  const before = errors.length;
  for (const [keyword, value] of Object.entries(schema)) checkShape(keyword, value, `${path}.${keyword}`, errors);
  if (errors.length > before) return;
  checkBasics(schema, path, errors, isRoot);
  checkListType(schema, path, errors);
  checkRules(schema, path, errors);
  for (const [place, child] of children(schema)) checkKeywords(child, `${path}.${place}`, errors, false, depth + 1);
}

function children(schema: JsonObject): [string, JsonObject][] {
  const result: [string, JsonValue | undefined][] = [];
  for (const keyword of ["items", "not", "additionalProperties"]) result.push([keyword, getOwn(schema, keyword)]);
  const properties = getOwn(schema, "properties");
  if (isJsonObject(properties)) {
    for (const [name, property] of Object.entries(properties)) result.push([`properties[${name}]`, property]);
  }
  for (const junctor of ["allOf", "anyOf", "oneOf"]) {
    const branches = getOwn(schema, junctor);
    if (!Array.isArray(branches)) continue;
    for (const [index, branch] of branches.entries()) result.push([`${junctor}[${index}]`, branch]);
  }
  return result.filter((entry): entry is [string, JsonObject] => isJsonObject(entry[1]));
}

function checkShape(keyword: string, value: JsonValue, path: string, errors: FieldError[]): void {
  const shape = shapes.get(keyword);
  if (shape === undefined || shape === "any") return;
  if (keyword === "items" && Array.isArray(value)) {
    errors.push(forbidden(path, "items must be a schema object and not an array"));
  } else if (!hasShape(value, shape)) {
    errors.push(invalid(path, value, `must be ${shapeTexts[shape]}`));
  }
}

const shapeTexts: Readonly<Record<Shape, string>> = {
  string: "a string",
  boolean: "a boolean",
  number: "a number",
  count: "a non-negative integer",
  schema: "a schema",
  schemas: "a map of schemas",
  branches: "a list of schemas",
  strings: "a list of strings",
  list: "a list",
  any: "a value",
};

function hasShape(value: JsonValue, shape: Shape): boolean {
  switch (shape) {
    case "string":
    case "boolean":
    case "number":
      return typeof value === shape;
    case "count":
      return typeof value === "number" && Number.isInteger(value) && value >= 0;
    case "schema":
      return isJsonObject(value);
    case "schemas":
      return isJsonObject(value) && Object.values(value).every(isJsonObject);
    case "branches":
      return Array.isArray(value) && value.every(isJsonObject);
    case "strings":
      return Array.isArray(value) && value.every((item) => typeof item === "string");
    case "list":
      return Array.isArray(value);
    default:
      return true;
  }
}

function checkBasics(schema: JsonObject, path: string, errors: FieldError[], isRoot: boolean): void {
  const type = getOwn(schema, "type");
  if (type === "null") {
    errors.push(forbidden(`${path}.type`, "type cannot be set to null, use nullable as an alternative"));
  } else if (typeof type === "string" && type !== "" && !types.includes(type)) {
    errors.push(notSupported(`${path}.type`, type, types));
  }
  if (isRoot && getOwn(schema, "nullable") === true) {
    errors.push(forbidden(`${path}.nullable`, "nullable cannot be true at the root"));
  }
  if (getOwn(schema, "uniqueItems") === true) {
    const detail = "uniqueItems cannot be set to true since the runtime complexity becomes quadratic";
    errors.push(forbidden(`${path}.uniqueItems`, detail));
  }
  const additional = getOwn(schema, "additionalProperties");
  const properties = getOwn(schema, "properties");
  if (additional !== undefined) {
    if (isJsonObject(properties) && Object.keys(properties).length > 0 && additional !== false) {
      const detail = "additionalProperties and properties are mutual exclusive";
      errors.push(forbidden(`${path}.additionalProperties`, detail));
    }
    if (additional === false) {
      errors.push(forbidden(`${path}.additionalProperties`, "additionalProperties cannot be set to false"));
    } else if (additional !== true && !isJsonObject(additional)) {
      errors.push(invalid(`${path}.additionalProperties`, additional, "must be a schema or a boolean"));
    }
  }
  const preserve = "x-kubernetes-preserve-unknown-fields";
  if (getOwn(schema, preserve) === false) {
    errors.push(invalid(`${path}.${preserve}`, false, "must be true or undefined"));
  }
  const mapType = getOwn(schema, "x-kubernetes-map-type");
  if (mapType === undefined) return;
  requireType(schema, "object", "x-kubernetes-map-type", path, errors);
  if (mapType !== "atomic" && mapType !== "granular") {
    errors.push(notSupported(`${path}.x-kubernetes-map-type`, mapType, ["atomic", "granular"]));
  }
}

function requireType(schema: JsonObject, wanted: string, keyword: string, path: string, errors: FieldError[]): boolean {
  const type = getOwn(schema, "type") ?? "";
  if (type === wanted) return true;
  const detail = `must be ${wanted} if ${keyword} is specified`;
  errors.push(type === "" ? required(`${path}.type`, detail) : invalid(`${path}.type`, type, detail));
  return false;
}

function checkListType(schema: JsonObject, path: string, errors: FieldError[]): void {
  const listType = getOwn(schema, "x-kubernetes-list-type");
  const keys = getOwn(schema, "x-kubernetes-list-map-keys");
  const hasKeys = Array.isArray(keys) && keys.length > 0;
  const place = `${path}.x-kubernetes-list-type`;
  if (hasKeys && listType !== "map") {
    const detail = "must be map if x-kubernetes-list-map-keys is non-empty";
    errors.push(listType === undefined ? required(place, detail) : invalid(place, listType, detail));
  }
  if (listType === undefined) return;
  const isArray = requireType(schema, "array", "x-kubernetes-list-type", path, errors);
  if (listType !== "atomic" && listType !== "set" && listType !== "map") {
    errors.push(notSupported(place, listType, ["atomic", "set", "map"]));
  }
  const items = getOwn(schema, "items");
  if (isArray && listType === "set" && isJsonObject(items)) checkSetItems(items, path, errors);
  if (listType === "map") checkMapItems(items, hasKeys ? keys.filter(isString) : [], path, errors);
}

function checkSetItems(items: JsonObject, path: string, errors: FieldError[]): void {
  const type = getOwn(items, "type");
  const listType = getOwn(items, "x-kubernetes-list-type");
  const detail = "must be atomic as item of a list with x-kubernetes-list-type=set";
  if (type === "array" && listType !== undefined && listType !== "atomic") {
    errors.push(invalid(`${path}.items.x-kubernetes-list-type`, listType, detail));
  }
  if (type === "object" && getOwn(items, "x-kubernetes-map-type") !== "atomic") {
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
  const type = getOwn(items, "type") ?? "";
  if (type !== "object") {
    const detail = "must be object if parent array's x-kubernetes-list-type is map";
    errors.push(invalid(`${path}.items.type`, type, detail));
    return;
  }
  const properties = getOwn(items, "properties");
  const demanded = getOwn(items, "required");
  for (const [index, key] of keys.entries()) {
    const property = isJsonObject(properties) ? getOwn(properties, key) : undefined;
    const place = `${path}.items.properties[${key}]`;
    if (!isJsonObject(property)) {
      errors.push(invalid(keysPath, keys, "entries must all be names of item properties"));
    } else {
      const keyType = getOwn(property, "type");
      if (keyType === "array" || keyType === "object") {
        errors.push(
          invalid(`${place}.type`, type, "must be a scalar type if parent array's x-kubernetes-list-type is map"),
        );
      }
      const isRequired = Array.isArray(demanded) && demanded.includes(key);
      if (!isRequired && getOwn(property, "default") === undefined) {
        const detail =
          "this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property";
        errors.push(required(`${place}.default`, detail));
      }
      if (getOwn(property, "nullable") === true) {
        const detail = "this property is in x-kubernetes-list-map-keys, so it cannot be nullable";
        errors.push(forbidden(`${place}.nullable`, detail));
      }
    }
    if (keys.indexOf(key) < index) errors.push(invalid(keysPath, keys, "must not contain duplicate entries"));
  }
}

const reasons: readonly string[] = [
  "FieldValueDuplicate",
  "FieldValueForbidden",
  "FieldValueInvalid",
  "FieldValueRequired",
];

function checkRules(schema: JsonObject, path: string, errors: FieldError[]): void {
  const rules = getOwn(schema, "x-kubernetes-validations");
  if (!Array.isArray(rules)) return;
  for (const [index, entry] of rules.entries()) {
    const place = `${path}.x-kubernetes-validations[${index}]`;
    const rule = isJsonObject(entry) ? getOwn(entry, "rule") : undefined;
    if (!isJsonObject(entry) || !isString(rule) || rule.trim() === "") {
      errors.push(required(`${place}.rule`, "rule is not specified"));
      continue;
    }
    const message = getOwn(entry, "message") ?? "";
    const text = isString(message) ? message.trim() : "";
    if (message !== "" && text === "") {
      errors.push(invalid(`${place}.message`, message, "must be non-empty if specified"));
    } else if (/[\r\n]/.test(text)) {
      errors.push(invalid(`${place}.message`, message, "must not contain line breaks"));
    } else if (/[\r\n]/.test(rule.trim()) && text === "") {
      errors.push(required(`${place}.message`, "message must be specified if rule contains line breaks"));
    }
    const reason = getOwn(entry, "reason");
    if (reason !== undefined && !(isString(reason) && reasons.includes(reason))) {
      errors.push(notSupported(`${place}.reason`, reason, reasons));
    }
    const fieldPath = getOwn(entry, "fieldPath") ?? "";
    if (isString(fieldPath) && /[\r\n]/.test(fieldPath)) {
      errors.push(invalid(`${place}.fieldPath`, fieldPath, "must not contain line breaks"));
    }
  }
}

function isString(value: JsonValue | undefined): value is string {
  return typeof value === "string";
}
