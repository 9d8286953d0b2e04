import { getOwn, isJsonObject, type JsonObject, type JsonValue } from "../json/index.js";
import { checkListKeywords } from "./check-list-keywords.js";
import { checkRuleForms } from "./check-rule-forms.js";
import { type FieldError, forbidden, invalid, notSupported, required } from "./field-error.js";
import { childSchemas, flag, textOf } from "./schema-children.js";

const types: readonly string[] = ["array", "boolean", "integer", "number", "object", "string"];

/** JSON schema keywords that CRDs do not support, in the order of their errors. */
const unsupported: readonly string[] = [
  "id",
  "additionalItems",
  "patternProperties",
  "definitions",
  "dependencies",
  "$ref",
];

/** The first keyword that prevents conversion to a structural schema; undefined if there is none. */
export function unsupportedKeyword(schema: JsonObject): string | undefined {
  for (const keyword of [...unsupported, "$schema"])
    if (isSet(getOwn(schema, keyword))) return keyword.replace(/^\$s/, "s");
  if (Array.isArray(getOwn(schema, "items"))) return "items";
  if (getOwn(schema, "x-kubernetes-preserve-unknown-fields") === false) return "x-kubernetes-preserve-unknown-fields";
  for (const [, child] of childSchemas(schema)) {
    const found = unsupportedKeyword(child);
    if (found !== undefined) return found;
  }
  return undefined;
}

function isSet(value: JsonValue | undefined): boolean {
  return value !== undefined && value !== "" && !(isJsonObject(value) && Object.keys(value).length === 0);
}

/** The context of a schema, which decides which keywords are allowed. */
interface Place {
  readonly path: string;
  readonly isRoot: boolean;
  /** Why defaults are not allowed here; undefined if they are. */
  readonly noDefaults: string | undefined;
  /** Whether the schema is inside apiVersion, kind or metadata. */
  readonly inMeta: boolean;
}

/** Validates keywords and their combinations, recursively. */
export function checkKeywords(schema: JsonObject, path: string): FieldError[] {
  const errors: FieldError[] = [];
  check(schema, { path, isRoot: true, noDefaults: undefined, inMeta: false }, errors);
  return errors;
}

const metaFields: readonly string[] = ["properties[metadata]", "properties[kind]", "properties[apiVersion]"];

function check(schema: JsonObject, place: Place, errors: FieldError[]): void {
  const { path } = place;
  checkStandard(schema, place, errors);
  if (flag(schema, "uniqueItems")) {
    const detail = "uniqueItems cannot be set to true since the runtime complexity becomes quadratic";
    errors.push(forbidden(`${path}.uniqueItems`, detail));
  }
  const additional = getOwn(schema, "additionalProperties");
  const properties = getOwn(schema, "properties");
  const hasProperties = isJsonObject(properties) && Object.keys(properties).length > 0;
  if (additional !== undefined && additional !== true && hasProperties) {
    const detail = "additionalProperties and properties are mutual exclusive";
    errors.push(forbidden(`${path}.additionalProperties`, detail));
  }
  for (const [name, child] of childSchemas(schema)) check(child, childPlace(schema, place, name), errors);
  checkOwn(schema, path, errors);
  checkListKeywords(schema, path, errors);
  checkRuleForms(schema, path, errors);
}

function childPlace(schema: JsonObject, place: Place, name: string): Place {
  const path = `${place.path}.${name}`;
  const isResource = place.isRoot || flag(schema, "x-kubernetes-embedded-resource");
  if (isResource && metaFields.includes(name)) {
    const field = name.slice("properties[".length, -1);
    return { path, isRoot: false, inMeta: true, noDefaults: place.isRoot ? `in top-level ${field}` : place.noDefaults };
  }
  const noDefaults =
    name === "additionalProperties" && place.inMeta
      ? "inside additionalProperties applying to object metadata"
      : place.noDefaults;
  return { path, isRoot: false, inMeta: place.inMeta, noDefaults };
}

function checkStandard(schema: JsonObject, { path, noDefaults, inMeta }: Place, errors: FieldError[]): void {
  const type = textOf(schema, "type");
  if (type !== "" && !types.includes(type)) errors.push(notSupported(`${path}.type`, type, types));
  if (getOwn(schema, "default") !== undefined && noDefaults !== undefined)
    errors.push(forbidden(`${path}.default`, `must not be set ${noDefaults}`));
  for (const keyword of unsupported) {
    if (isSet(getOwn(schema, keyword))) errors.push(forbidden(`${path}.${keyword}`, `${keyword} is not supported`));
  }
  if (type === "null")
    errors.push(forbidden(`${path}.type`, "type cannot be set to null, use nullable as an alternative"));
  if (Array.isArray(getOwn(schema, "items")))
    errors.push(forbidden(`${path}.items`, "items must be a schema object and not an array"));
  if (inMeta && flag(schema, "x-kubernetes-embedded-resource"))
    errors.push(forbidden(`${path}.x-kubernetes-embedded-resource`, "must not be used inside of resource meta"));
}

function checkOwn(schema: JsonObject, path: string, errors: FieldError[]): void {
  const preserve = "x-kubernetes-preserve-unknown-fields";
  if (getOwn(schema, preserve) === false) {
    errors.push(invalid(`${path}.${preserve}`, false, "must be true or undefined"));
  }
  const mapType = getOwn(schema, "x-kubernetes-map-type");
  if (mapType === undefined) return;
  const type = textOf(schema, "type");
  if (type !== "object") {
    const detail = "must be object if x-kubernetes-map-type is specified";
    errors.push(type === "" ? required(`${path}.type`, detail) : invalid(`${path}.type`, type, detail));
  }
  if (mapType !== "atomic" && mapType !== "granular") {
    errors.push(notSupported(`${path}.x-kubernetes-map-type`, mapType, ["atomic", "granular"]));
  }
}
