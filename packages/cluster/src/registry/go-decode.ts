import { type JsonValue, setOwn } from "@kubewright/core/json";
import { keywordOf, type Schema, structureOf } from "@kubewright/core/schema";
import { structNameOf } from "./builtin-api.js";
import { type Draft, type DraftValue, isDraft } from "./draft.js";
import { decodeBytes, decodeMicroTime, decodeQuantity, decodeTime, type Scalar } from "./go-scalars.js";

/** What decoding a built-in object found. */
export interface Decoded {
  /** Paths of fields that the kind does not have, in the order of the body. */
  readonly unknownFields: readonly string[];
  /** The first value of a wrong type, in the words of Go's decoder; undefined when there is none. */
  readonly typeError: string | undefined;
}

/**
 * Makes of a body what a real server's typed decoder makes of it, in place.
 *
 * Fields that the kind does not have vanish, as do nulls, and lists and maps that are empty.
 */
export function decodeBuiltin(draft: Draft, schema: Schema): Decoded {
  const found: { unknownFields: string[]; typeError: string | undefined } = { unknownFields: [], typeError: undefined };
  decodeObject(draft, schema, { path: "", goPath: "", struct: structNameOf(schema) ?? "" }, found);
  return found;
}

interface Place {
  /** With indexes: `spec.containers[0].name`. */
  readonly path: string;
  /** As Go prints it, without indexes: `spec.containers.name`. */
  readonly goPath: string;
  /** The struct that holds the field. */
  readonly struct: string;
}

interface Found {
  readonly unknownFields: string[];
  typeError: string | undefined;
}

function decodeObject(draft: Draft, schema: Schema, place: Place, found: Found): void {
  const structure = structureOf(schema);
  const properties = structure?.properties;
  const additional = structure?.additionalProperties;
  if (properties === undefined && typeof additional !== "object") return;
  const required = structure?.required ?? [];
  const struct = (structure && structNameOf(structure)) ?? place.struct;
  for (const [key, value] of Object.entries(draft)) {
    const isField = properties !== undefined && Object.hasOwn(properties, key);
    const inner = isField ? properties[key] : typeof additional === "object" ? additional : undefined;
    const path = place.path === "" ? key : `${place.path}.${key}`;
    if (inner === undefined) {
      found.unknownFields.push(path);
      delete draft[key];
      continue;
    }
    if (value === null) {
      // In a map of texts a null is the empty text; elsewhere it is nothing.
      if (!isField && keywordOf(inner, "type") === "string" && keywordOf(inner, "format") === undefined)
        draft[key] = "";
      else delete draft[key];
      continue;
    }
    const goPath = isField ? (place.goPath === "" ? key : `${place.goPath}.${key}`) : place.goPath;
    const decoded = decodeValue(value, inner, { path, goPath, struct: isField ? struct : place.struct }, found);
    // An empty record of owners is a request to forget them all.
    const isKept = required.includes(key) || key === "managedFields";
    if (isField && isEmpty(decoded, inner) && !isKept) delete draft[key];
    else if (decoded !== value) setOwn(draft, key, decoded);
  }
}

/** The value itself, decoded in place; or, for texts that Go reads as something else, their canonical form. */
function decodeValue(value: DraftValue, schema: Schema, place: Place, found: Found): DraftValue {
  const expected = keywordOf(schema, "type");
  if (expected !== undefined && !fits(value, expected)) {
    found.typeError ??= `json: cannot unmarshal ${goKindOf(value, expected)} into Go struct field ${place.struct}.${place.goPath} of type ${goTypeOf(schema)}`;
    return value;
  }
  if (typeof value === "string") return decodeText(value, schema, found);
  if (typeof value === "number") return expected === undefined ? decodeNumber(value, schema, found) : value;
  if (isDraft(value)) decodeObject(value, schema, place, found);
  else if (Array.isArray(value)) {
    const items = structureOf(schema)?.items;
    if (items === undefined) return value;
    // In a list of texts a null is the empty text.
    for (const [index, item] of value.entries())
      if (item !== null) value[index] = decodeValue(item, items, { ...place, path: `${place.path}[${index}]` }, found);
      else if (keywordOf(items, "type") === "string") value[index] = "";
  }
  return value;
}

/** Texts that Go reads as something else, by the name of their type. */
const scalars: ReadonlyMap<string, (text: string) => Scalar> = new Map([
  ["Time", decodeTime],
  ["MicroTime", decodeMicroTime],
  ["Quantity", decodeQuantity],
]);

/** A number where a quantity stands is read like its text. */
function decodeNumber(value: number, schema: Schema, found: Found): number | string {
  const structure = structureOf(schema);
  return structure && structNameOf(structure) === "Quantity" ? decodeText(String(value), schema, found) : value;
}

function decodeText(text: string, schema: Schema, found: Found): string {
  const structure = structureOf(schema);
  const named = structure && structNameOf(structure);
  const format = keywordOf(schema, "format");
  const decode =
    (named === undefined ? undefined : scalars.get(named)) ?? (format === "byte" ? decodeBytes : undefined);
  if (decode === undefined) return text;
  const scalar = decode(text);
  if (scalar.kind === "taken") return scalar.value;
  found.typeError ??= scalar.why;
  return text;
}

function isEmpty(value: DraftValue, schema: Schema): boolean {
  // What may be any JSON is kept as it is.
  if (Array.isArray(value)) return value.length === 0 && keywordOf(schema, "type") !== undefined;
  if (!isDraft(value)) return false;
  return structureOf(schema)?.additionalProperties !== undefined && Object.keys(value).length === 0;
}

function fits(value: DraftValue, type: string): boolean {
  switch (type) {
    case "string":
      return typeof value === "string";
    case "boolean":
      return typeof value === "boolean";
    case "integer":
      return Number.isInteger(value);
    case "number":
      return typeof value === "number";
    case "array":
      return Array.isArray(value);
    case "object":
      return isDraft(value);
    default:
      return true;
  }
}

/** Of a number that is no integer, where one is wanted, the number itself is told. */
function goKindOf(value: JsonValue, expected: string): string {
  if (Array.isArray(value)) return "array";
  switch (typeof value) {
    case "boolean":
      return "bool";
    case "number":
      return Number.isInteger(value) || expected !== "integer" ? "number" : `number ${value}`;
    case "string":
      return "string";
    default:
      return "object";
  }
}

function goTypeOf(schema: Schema): string {
  const structure = structureOf(schema);
  const named = structure && structNameOf(structure);
  if (structure?.type === "object" && named !== undefined) return `v1.${named}`;
  switch (keywordOf(schema, "type")) {
    case "string":
      return keywordOf(schema, "format") === "byte" ? "[]uint8" : "string";
    case "boolean":
      return "bool";
    case "integer":
      return keywordOf(schema, "format") ?? "int64";
    case "number":
      return "float64";
    case "array":
      return structure?.items === undefined ? "[]interface {}" : `[]${goTypeOf(structure.items)}`;
    default:
      return typeof structure?.additionalProperties === "object"
        ? `map[string]${goTypeOf(structure.additionalProperties)}`
        : "map[string]interface {}";
  }
}
