import { deepEqual, isJsonObject, type JsonObject, type JsonValue } from "@kubewright/core/json";
import {
  checkStructural,
  duplicate,
  type FieldError,
  forbidden,
  invalid,
  required,
  resolveFieldPath,
  type Schema,
  tooMany,
} from "@kubewright/core/schema";
import { listAt, objectAt, textAt } from "../draft.js";
import { checkEmbedded } from "../embedded-resources.js";
import type { Extensions } from "../extensions/index.js";

const columnTypes = ["boolean", "date", "integer", "number", "string"];
const columnFormats = ["byte", "date", "date-time", "double", "float", "int32", "int64", "password"];
const maxSelectableFields = 8;

/** What of a version is checked by itself, and what of others it depends on. */
interface PartContext {
  readonly schema: Schema | undefined;
  readonly hasStatus: boolean;
  readonly extensions: Extensions;
}

type PartCheck = (value: JsonValue, field: string, context: PartContext) => FieldError[];

/** The parts of a version that have rules of their own, by the name under which errors know them when all versions share them. */
const partChecks: readonly (readonly [part: string, shared: string, check: PartCheck])[] = [
  ["schema", "validation", checkSchema],
  ["subresources", "subresources", checkSubresources],
  ["additionalPrinterColumns", "additionalPrinterColumns", (value, field) => checkEach(value, field, checkColumn)],
  ["selectableFields", "selectableFields", checkSelectableFields],
];

/** A real server speaks of what all versions have in common as of the definition's own, where it stood in older versions. */
function isShared(versions: readonly JsonObject[], part: string): boolean {
  const [first] = versions;
  return first !== undefined && versions.every((version) => deepEqual(version[part], first[part]));
}

/** What is wrong with the parts of one version that are its own. */
export function checkOwnParts(
  versions: readonly JsonObject[],
  version: JsonObject,
  field: string,
  extensions: Extensions,
): FieldError[] {
  const hasStatus = isJsonObject(objectAt(version, "subresources")["status"]);
  const context = { schema: schemaOf(version), hasStatus, extensions };
  return partChecks
    .filter(([part]) => !isShared(versions, part))
    .flatMap(([part, , check]) => check(version[part] ?? null, `${field}.${part}`, context));
}

/** What is wrong with the parts that all versions share. */
export function checkSharedParts(versions: readonly JsonObject[], extensions: Extensions): FieldError[] {
  const [first] = versions;
  if (!first) return [];
  const hasStatus = versions.some((version) => isJsonObject(objectAt(version, "subresources")["status"]));
  const context = { schema: isShared(versions, "schema") ? schemaOf(first) : undefined, hasStatus, extensions };
  return partChecks
    .filter(([part]) => isShared(versions, part))
    .flatMap(([part, shared, check]) => check(first[part] ?? null, `spec.${shared}`, context));
}

function schemaOf(version: JsonObject): Schema | undefined {
  const schema = objectAt(version, "schema")["openAPIV3Schema"];
  return isJsonObject(schema) ? (schema as Schema) : undefined;
}

function checkSchema(value: JsonValue, field: string, { hasStatus, extensions }: PartContext): FieldError[] {
  const schema = isJsonObject(value) ? value["openAPIV3Schema"] : undefined;
  if (!isJsonObject(schema)) return [];
  const place = `${field}.openAPIV3Schema`;
  const errors = checkStructural(schema, place, { hasStatus, checkEmbedded });
  if (errors.length > 0) return errors;
  const { rules } = extensions;
  if (typeof rules === "object") return rules.checkRules(schema as Schema, place);
  const found = rules === "reject" ? findRules(schema, place) : undefined;
  if (found === undefined) return [];
  const detail =
    'CEL rules are not evaluated by this server: remove them, or start it with `--unevaluated-rules=warn` (`unevaluatedRules: "warn"`) to accept them without effect';
  return [forbidden(found, detail)];
}

/** Where the first rules of a schema stand. */
export function findRules(value: JsonValue, path: string): string | undefined {
  if (!isJsonObject(value)) return undefined;
  for (const [key, inner] of Object.entries(value)) {
    const place = `${path}.${key}`;
    if (key === "x-kubernetes-validations" && listAt(value, key).length > 0) return place;
    if (key === "properties" && isJsonObject(inner)) {
      for (const [name, property] of Object.entries(inner)) {
        const found = findRules(property, `${place}[${name}]`);
        if (found !== undefined) return found;
      }
    } else if (key === "items" || key === "additionalProperties") {
      const found = findRules(inner, place);
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

function checkEach(
  value: JsonValue,
  field: string,
  check: (element: JsonObject, field: string) => FieldError[],
): FieldError[] {
  if (!Array.isArray(value)) return [];
  return (value as readonly JsonValue[]).flatMap((element, index) =>
    isJsonObject(element) ? check(element, `${field}[${index}]`) : [],
  );
}

function checkColumn(column: JsonObject, field: string): FieldError[] {
  const errors: FieldError[] = [];
  if (textAt(column, "name") === "") errors.push(required(`${field}.name`));
  const type = textAt(column, "type");
  const known = `must be one of ${columnTypes.join(",")}`;
  if (type === "") errors.push(required(`${field}.type`, known));
  else if (!columnTypes.includes(type)) errors.push(invalid(`${field}.type`, type, known));
  const format = textAt(column, "format");
  if (format !== "" && !columnFormats.includes(format))
    errors.push(invalid(`${field}.format`, format, `must be one of ${columnFormats.join(",")}`));
  const path = textAt(column, "jsonPath");
  if (path === "") errors.push(required(`${field}.JSONPath`));
  else errors.push(...checkSimplePath(path, `${field}.JSONPath`));
  return errors;
}

function checkSimplePath(path: string, field: string): FieldError[] {
  return path.startsWith(".") ? [] : [invalid(field, path, "must be a simple json path starting with .")];
}

function checkSubresources(value: JsonValue, field: string): FieldError[] {
  const scale = isJsonObject(value) ? value["scale"] : undefined;
  if (!isJsonObject(scale)) return [];
  const errors: FieldError[] = [];
  for (const [key, under] of [
    ["specReplicasPath", ["spec"]],
    ["statusReplicasPath", ["status"]],
    ["labelSelectorPath", ["spec", "status"]],
  ] as const) {
    const place = `${field}.scale.${key}`;
    const path = textAt(scale, key);
    if (path === "") {
      if (under.length === 1) errors.push(required(place));
      continue;
    }
    const simple = checkSimplePath(path, place);
    errors.push(...simple);
    if (simple.length > 0 || under.some((part) => path.startsWith(`.${part}.`))) continue;
    const where = under.length === 1 ? `.${under[0]}` : "either .spec or .status";
    errors.push(invalid(place, path, `should be a json path under ${where}`));
  }
  return errors;
}

function checkSelectableFields(value: JsonValue, field: string, { schema }: PartContext): FieldError[] {
  if (!Array.isArray(value) || value.length === 0) return [];
  if (schema === undefined) return [invalid(field, "", "may only be set when validations.schema is included")];
  const seen = new Set<string>();
  const errors = checkEach(value, field, (selectable, place) => {
    const text = textAt(selectable, "jsonPath");
    if (text === "") return [required(`${place}.jsonPath`)];
    const found = resolveFieldPath(text, schema, { arrayNotation: false });
    if (found.kind === "invalid") return [invalid(`${place}.jsonPath`, text, `is an invalid path: ${found.why}`)];
    const own: FieldError[] = [];
    if (found.steps[0] === "metadata")
      own.push(invalid(`${place}.jsonPath`, text, "must not point to fields in metadata"));
    if (!["string", "boolean", "integer"].includes(found.schema.type ?? "")) {
      const detail =
        "must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.";
      own.push(invalid(`${place}.jsonPath`, text, detail));
    }
    const id = found.steps.join(".");
    if (seen.has(id)) own.push(duplicate(`${place}.jsonPath`, text));
    seen.add(id);
    return own;
  });
  if (seen.size > maxSelectableFields) errors.push(tooMany(field, seen.size, maxSelectableFields));
  return errors;
}
