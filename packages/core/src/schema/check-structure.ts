import { deepEqual, getOwn, isJsonObject, type JsonObject, type JsonValue } from "../json/index.js";
import { compilePattern } from "../regexp/index.js";
import { type FieldError, forbidden, formatFieldError, invalid, required } from "./field-error.js";
import { findUndeclared } from "./find-undeclared.js";
import { branchesAt, flag, schemaAt, schemasAt, textOf } from "./schema-children.js";

/** Finds violations of the structural schema rules, sorted by message. */
export function checkStructure(schema: JsonObject, path: string): FieldError[] {
  const errors: FieldError[] = [];
  checkLevel(schema, "root", path, errors);
  errors.push(...findUndeclared(schema, path));
  return errors
    .map((error) => [formatFieldError(error), error] as const)
    .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
    .map(([, error]) => error);
}

type Level = "root" | "item" | "field";

const emptyTypeMessages: Readonly<Record<Level, string>> = {
  root: "must not be empty at the root",
  item: "must not be empty for specified array items",
  field: "must not be empty for specified object fields",
};

function checkLevel(schema: JsonObject, level: Level, path: string, errors: FieldError[]): void {
  const type = textOf(schema, "type");
  const items = schemaAt(schema, "items");
  const additional = getOwn(schema, "additionalProperties");
  if (type === "array" && items === undefined) errors.push(required(`${path}.items`, "must be specified"));
  if (items !== undefined) checkLevel(items, "item", `${path}.items`, errors);
  for (const [name, property] of schemasAt(schema, "properties"))
    checkLevel(property, "field", `${path}.properties[${name}]`, errors);
  if (additional !== undefined && level === "root") {
    errors.push(forbidden(`${path}.additionalProperties`, "must not be used at the root"));
  }
  if (isJsonObject(additional)) checkLevel(additional, "field", `${path}.additionalProperties`, errors);
  checkExtensions(schema, level, path, errors);
  checkMetadata(schema, level, path, errors);
  checkValueRules(schema, path, errors, intOrStringException(schema));
}

function checkExtensions(schema: JsonObject, level: Level, path: string, errors: FieldError[]): void {
  const type = textOf(schema, "type");
  const intOrString = flag(schema, "x-kubernetes-int-or-string");
  const preserves = flag(schema, "x-kubernetes-preserve-unknown-fields");
  const embedded = flag(schema, "x-kubernetes-embedded-resource");
  const because = "must be false if x-kubernetes-int-or-string is true";
  if (intOrString && preserves) errors.push(invalid(`${path}.x-kubernetes-preserve-unknown-fields`, true, because));
  if (intOrString && embedded) errors.push(invalid(`${path}.x-kubernetes-embedded-resource`, true, because));
  if (embedded && type !== "object") {
    const detail = "must be object if x-kubernetes-embedded-resource is true";
    errors.push(type === "" ? required(`${path}.type`, detail) : invalid(`${path}.type`, type, detail));
  } else if (type === "" && !intOrString && !preserves) {
    errors.push(required(`${path}.type`, emptyTypeMessages[level]));
  }
  if (embedded && getOwn(schema, "additionalProperties") !== undefined) {
    errors.push(forbidden(`${path}.additionalProperties`, "must not be used if x-kubernetes-embedded-resource is set"));
  }
  if (level === "root" && type !== "" && type !== "object") {
    errors.push(invalid(`${path}.type`, type, "must be object at the root"));
  }
  if (embedded && !preserves && schemasAt(schema, "properties").length === 0) {
    const detail =
      "must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields";
    errors.push(required(`${path}.properties`, detail));
  }
}

function checkMetadata(schema: JsonObject, level: Level, path: string, errors: FieldError[]): void {
  const isResource = level === "root" || flag(schema, "x-kubernetes-embedded-resource");
  for (const [name, property] of schemasAt(schema, "properties")) {
    const place = `${path}.properties[${name}]`;
    const type = textOf(property, "type");
    if ((name === "kind" || name === "apiVersion") && isResource && type !== "string") {
      errors.push(invalid(`${place}.type`, type, "must be string"));
    }
    if (name !== "metadata") continue;
    if (isResource && type !== "object") errors.push(invalid(`${place}.type`, type, "must be object"));
    if (level !== "root") continue;
    const onlyNames = schemasAt(property, "properties").every(
      ([field]) => field === "name" || field === "generateName",
    );
    const others = Object.keys(property).filter((keyword) => !["type", "properties", "default"].includes(keyword));
    if (!onlyNames || others.length > 0) {
      const detail = "must not specify anything other than name and generateName, but metadata is implicitly specified";
      errors.push(forbidden(place, detail));
    }
  }
}

const intOrStringBranches: JsonValue = [{ type: "integer" }, { type: "string" }];

/** The two forms in which x-kubernetes-int-or-string allows types inside junctors. */
function intOrStringException(schema: JsonObject): "anyOf" | "allOf" | undefined {
  if (deepEqual(getOwn(schema, "anyOf"), intOrStringBranches)) return "anyOf";
  const [first] = branchesAt(schema, "allOf");
  return first !== undefined && deepEqual(getOwn(first, "anyOf"), intOrStringBranches) ? "allOf" : undefined;
}

function checkValueRules(schema: JsonObject, path: string, errors: FieldError[], exception?: "anyOf" | "allOf"): void {
  if (exception !== "anyOf") {
    for (const [index, branch] of branchesAt(schema, "anyOf").entries()) {
      checkNested(branch, `${path}.anyOf[${index}]`, errors);
    }
  }
  for (const [index, branch] of branchesAt(schema, "allOf").entries()) {
    const skip = exception === "allOf" && index === 0 ? "anyOf" : undefined;
    checkNested(branch, `${path}.allOf[${index}]`, errors, skip);
  }
  for (const [index, branch] of branchesAt(schema, "oneOf").entries()) {
    checkNested(branch, `${path}.oneOf[${index}]`, errors);
  }
  const not = schemaAt(schema, "not");
  if (not !== undefined) checkNested(not, `${path}.not`, errors);
  const pattern = textOf(schema, "pattern");
  if (pattern === "") return;
  const compiled = compilePattern(pattern);
  if (compiled.kind === "rejected") {
    const detail = `must be a valid regular expression, but isn't: ${compiled.reason}`;
    errors.push(invalid(`${path}.pattern`, pattern, detail));
  }
}

/** Keywords that are forbidden inside junctors, where only value validations are allowed. */
const nestedMessages: ReadonlyMap<string, string> = new Map([
  ["type", "must be empty to be structural"],
  ["additionalProperties", "must be undefined to be structural"],
  ["default", "must be undefined to be structural"],
  ["title", "must be empty to be structural"],
  ["description", "must be empty to be structural"],
  ["nullable", "must be false to be structural"],
  ["x-kubernetes-preserve-unknown-fields", "must be false to be structural"],
  ["x-kubernetes-embedded-resource", "must be false to be structural"],
  ["x-kubernetes-int-or-string", "must be false to be structural"],
  ["x-kubernetes-list-map-keys", "must be empty to be structural"],
  ["x-kubernetes-list-type", "must be undefined to be structural"],
  ["x-kubernetes-map-type", "must be undefined to be structural"],
  ["x-kubernetes-validations", "must be empty to be structural"],
]);

function checkNested(schema: JsonObject, path: string, errors: FieldError[], exception?: "anyOf" | "allOf"): void {
  checkValueRules(schema, path, errors, exception);
  const items = schemaAt(schema, "items");
  if (items !== undefined) checkNested(items, `${path}.items`, errors);
  for (const [name, property] of schemasAt(schema, "properties")) {
    const place = `${path}.properties[${name}]`;
    checkNested(property, place, errors);
    if (name === "metadata") errors.push(forbidden(place, "must not be specified in a nested context"));
  }
  for (const [keyword, text] of nestedMessages) {
    const value = getOwn(schema, keyword);
    if (value === undefined || value === false || value === "" || (Array.isArray(value) && value.length === 0))
      continue;
    errors.push(forbidden(`${path}.${keyword}`, text));
  }
}
