import { deepEqual, getOwn, isJsonObject, type JsonObject, type JsonValue } from "../json/index.js";
import { checkKeywords } from "./check-keywords.js";
import { type FieldError, forbidden, formatFieldError, invalid, required } from "./field-error.js";
import { compilePattern } from "./pattern.js";

/** How deep a schema may be nested. */
const maxDepth = 200;

/**
 * Checks that a schema of a CRD is structural, and that its keywords fit together: the server's rules in its own words.
 *
 * `path` is where the schema stands, for instance `spec.versions[0].schema.openAPIV3Schema`. Empty when all is well,
 * else sorted by text. Patterns that the embedded matcher cannot take are refused too. CEL rules are not compiled here.
 */
export function checkStructural(schema: unknown, path: string): FieldError[] {
  if (!isJsonObject(schema)) return [required(path, "schema is required")];
  const errors: FieldError[] = [];
  checkKeywords(schema, path, errors, true, 0);
  // What has a wrong shape cannot be walked as a schema.
  if (errors.length > 0) return sortErrors(errors);
  checkLevel(schema, "root", path, errors, 0);
  checkCompleteness(schema, schema, path, path, errors);
  return sortErrors(errors);
}

function sortErrors(errors: readonly FieldError[]): FieldError[] {
  const unique = new Map(errors.map((error) => [formatFieldError(error), error]));
  return [...unique].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, error]) => error);
}

type Level = "root" | "item" | "field";

const emptyTypeTexts: Readonly<Record<Level, string>> = {
  root: "must not be empty at the root",
  item: "must not be empty for specified array items",
  field: "must not be empty for specified object fields",
};

function checkLevel(schema: JsonObject, level: Level, path: string, errors: FieldError[], depth: number): void {
  if (depth > maxDepth) {
    errors.push(forbidden(path, `must not be nested deeper than ${maxDepth} levels`));
    return;
  }
  const type = textOf(schema, "type");
  const items = schemaAt(schema, "items");
  const properties = schemasAt(schema, "properties");
  const additional = getOwn(schema, "additionalProperties");
  if (type === "array" && items === undefined) errors.push(required(`${path}.items`, "must be specified"));
  if (items !== undefined) checkLevel(items, "item", `${path}.items`, errors, depth + 1);
  for (const [name, property] of properties)
    checkLevel(property, "field", `${path}.properties[${name}]`, errors, depth + 1);
  if (additional !== undefined && level === "root") {
    errors.push(forbidden(`${path}.additionalProperties`, "must not be used at the root"));
  }
  if (isJsonObject(additional)) checkLevel(additional, "field", `${path}.additionalProperties`, errors, depth + 1);
  checkExtensions(schema, type, level, path, errors);
  checkMetadata(schema, level, path, errors);
  checkValueRules(schema, path, errors, depth, intOrStringException(schema));
}

function checkExtensions(schema: JsonObject, type: string, level: Level, path: string, errors: FieldError[]): void {
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
    errors.push(required(`${path}.type`, emptyTypeTexts[level]));
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

/** The two shapes in which int-or-string may name types inside junctors. */
function intOrStringException(schema: JsonObject): "anyOf" | "allOf" | undefined {
  if (deepEqual(getOwn(schema, "anyOf"), intOrStringBranches)) return "anyOf";
  const [first] = listAt(schema, "allOf");
  return first !== undefined && deepEqual(getOwn(first, "anyOf"), intOrStringBranches) ? "allOf" : undefined;
}

function checkValueRules(
  schema: JsonObject,
  path: string,
  errors: FieldError[],
  depth: number,
  exception?: "anyOf" | "allOf",
): void {
  if (exception !== "anyOf") {
    for (const [index, branch] of listAt(schema, "anyOf").entries()) {
      checkNested(branch, `${path}.anyOf[${index}]`, errors, depth + 1);
    }
  }
  for (const [index, branch] of listAt(schema, "allOf").entries()) {
    const skip = exception === "allOf" && index === 0 ? "anyOf" : undefined;
    checkNested(branch, `${path}.allOf[${index}]`, errors, depth + 1, skip);
  }
  for (const [index, branch] of listAt(schema, "oneOf").entries()) {
    checkNested(branch, `${path}.oneOf[${index}]`, errors, depth + 1);
  }
  const not = schemaAt(schema, "not");
  if (not !== undefined) checkNested(not, `${path}.not`, errors, depth + 1);
  const pattern = textOf(schema, "pattern");
  const compiled = compilePattern(pattern);
  if (compiled.kind === "refused") {
    const detail = `must be a valid regular expression, but isn't: ${compiled.reason}`;
    errors.push(invalid(`${path}.pattern`, pattern, detail));
  }
}

/** What may not stand inside a junctor: only rules about values may. */
const nestedTexts: ReadonlyMap<string, string> = new Map([
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

function checkNested(
  schema: JsonObject,
  path: string,
  errors: FieldError[],
  depth: number,
  exception?: "anyOf" | "allOf",
): void {
  if (depth > maxDepth) {
    errors.push(forbidden(path, `must not be nested deeper than ${maxDepth} levels`));
    return;
  }
  checkValueRules(schema, path, errors, depth, exception);
  const items = schemaAt(schema, "items");
  if (items !== undefined) checkNested(items, `${path}.items`, errors, depth + 1);
  for (const [name, property] of schemasAt(schema, "properties")) {
    const place = `${path}.properties[${name}]`;
    checkNested(property, place, errors, depth + 1);
    if (name === "metadata") errors.push(forbidden(place, "must not be specified in a nested context"));
  }
  for (const [keyword, text] of nestedTexts) {
    const value = getOwn(schema, keyword);
    if (value === undefined || value === false || value === "" || (Array.isArray(value) && value.length === 0))
      continue;
    errors.push(forbidden(`${path}.${keyword}`, text));
  }
}

/** Every field that a junctor speaks of must be declared outside of junctors too. */
function checkCompleteness(
  rules: JsonObject,
  schema: JsonObject | undefined,
  path: string,
  rulesPath: string,
  errors: FieldError[],
): void {
  if (schema === undefined) {
    errors.push(required(path, `because it is defined in ${rulesPath}`));
    return;
  }
  const isNested = rules !== schema;
  const not = schemaAt(rules, "not");
  if (not !== undefined) checkCompleteness(not, schema, path, `${rulesPath}.not`, errors);
  for (const junctor of ["allOf", "anyOf", "oneOf"]) {
    for (const [index, branch] of listAt(rules, junctor).entries()) {
      checkCompleteness(branch, schema, path, `${rulesPath}.${junctor}[${index}]`, errors);
    }
  }
  const items = schemaAt(rules, "items");
  if (items !== undefined) {
    const target = schemaAt(schema, "items");
    checkCompleteness(items, target, `${path}.items`, `${rulesPath}.items`, errors);
  }
  const declared = new Map(schemasAt(schema, "properties"));
  for (const [name, property] of schemasAt(rules, "properties")) {
    const place = `properties[${name}]`;
    const target = isNested ? declared.get(name) : property;
    checkCompleteness(property, target, `${path}.${place}`, `${rulesPath}.${place}`, errors);
  }
}

function textOf(schema: JsonObject, keyword: string): string {
  const value = getOwn(schema, keyword);
  return typeof value === "string" ? value : "";
}

function flag(schema: JsonObject, keyword: string): boolean {
  return getOwn(schema, keyword) === true;
}

function schemaAt(schema: JsonObject, keyword: string): JsonObject | undefined {
  const value = getOwn(schema, keyword);
  return isJsonObject(value) ? value : undefined;
}

function listAt(schema: JsonObject, keyword: string): JsonObject[] {
  const value = getOwn(schema, keyword);
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

function schemasAt(schema: JsonObject, keyword: string): [string, JsonObject][] {
  const value = getOwn(schema, keyword);
  if (!isJsonObject(value)) return [];
  return Object.entries(value).filter((entry): entry is [string, JsonObject] => isJsonObject(entry[1]));
}
