import { setOwn } from "@kubewright/core/json";
import { keywordOf, type Schema, structureOf } from "@kubewright/core/schema";
import { structNameOf } from "./builtin-api.js";
import { type Draft, type DraftValue, isDraft } from "./draft.js";
import { rememberEmptied } from "./emptied-fields.js";
import {
  decodeBytes,
  decodeIntOrString,
  decodeMicroTime,
  decodeQuantity,
  decodeTime,
  goKindOf,
  type Scalar,
} from "./go-scalars.js";
import { rememberNullBytes } from "./null-bytes.js";

/** What decoding a built-in object found. */
export interface Decoded {
  /** Paths of fields that the kind does not have, in the order in which they were met. */
  readonly unknownFields: readonly string[];
  /** The first value of a wrong type, in the words of Go's decoder; undefined when there is none. */
  readonly typeError: string | undefined;
}

/**
 * Makes of a body what a real server's typed decoder makes of it, in place.
 *
 * Fields that the kind does not have vanish, as do nulls, and lists and maps that are empty. What is wrong first is told of: in the
 * order of the body, or in that of the keys, where a real server's decoder is handed a map that was written again.
 */
export function decodeBuiltin(draft: Draft, schema: Schema, order: "body" | "keys" = "body"): Decoded {
  const found: Found = { order, unknownFields: [], typeError: undefined, fatal: undefined, emptied: [] };
  const before = Object.keys(draft);
  decodeObject(draft, schema, { path: "", goPath: "", struct: structNameOf(schema) ?? "" }, found);
  rememberEmptied(draft, new Set(found.emptied.filter((key) => before.includes(key))));
  return { unknownFields: found.unknownFields, typeError: found.fatal ?? found.typeError };
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
  readonly order: "body" | "keys";
  readonly unknownFields: string[];
  typeError: string | undefined;
  /** What ends decoding at once, and is told in place of what was found before: a type that decodes itself does not take the value. */
  fatal: string | undefined;
  /** Fields of the root that were there, and empty. */
  readonly emptied: string[];
}

function decodeObject(draft: Draft, schema: Schema, place: Place, found: Found): void {
  const structure = structureOf(schema);
  const properties = structure?.properties;
  const additional = structure?.additionalProperties;
  if (properties === undefined && typeof additional !== "object") return;
  const required = structure?.required ?? [];
  const struct = (structure && structNameOf(structure)) ?? place.struct;
  const keys = Object.keys(draft);
  if (found.order === "keys") keys.sort();
  for (const key of keys) {
    const value = draft[key] ?? null;
    const isField = properties !== undefined && Object.hasOwn(properties, key);
    const inner = isField ? properties[key] : typeof additional === "object" ? additional : undefined;
    const path = place.path === "" ? key : `${place.path}.${key}`;
    if (inner === undefined) {
      found.unknownFields.push(path);
      delete draft[key];
      continue;
    }
    if (value === null) {
      // In a map a null is the zero value of its type; elsewhere it is nothing.
      const zero = isField ? undefined : zeroOf(inner);
      if (zero === undefined) delete draft[key];
      else draft[key] = zero;
      if (!isField && keywordOf(inner, "format") === "byte") rememberNullBytes(draft, key);
      continue;
    }
    const goPath = isField ? (place.goPath === "" ? key : `${place.goPath}.${key}`) : place.goPath;
    const decoded = decodeValue(value, inner, { path, goPath, struct: isField ? struct : place.struct }, found);
    // An empty record of owners is a request to forget them all.
    const isKept = required.includes(key) || key === "managedFields";
    if (isField && isEmpty(decoded, inner) && !isKept) {
      delete draft[key];
      if (place.path === "") found.emptied.push(key);
    } else if (decoded !== value) setOwn(draft, key, decoded);
  }
}

/** The value itself, decoded in place; or, for texts that Go reads as something else, their canonical form. */
function decodeValue(value: DraftValue, schema: Schema, place: Place, found: Found): DraftValue {
  const own = scalarOf(schema);
  if (own !== undefined) {
    const scalar = own(value);
    if (scalar.kind === "taken") return scalar.value;
    found.fatal ??= scalar.why.replace("Go value of type", `Go struct field ${place.struct}.${place.goPath} of type`);
    return value;
  }
  const expected = keywordOf(schema, "type");
  const isBytes = keywordOf(schema, "format") === "byte";
  if (expected !== undefined && !fits(value, schema) && !(isBytes && Array.isArray(value))) {
    const type = goTypeOf(schema);
    found.typeError ??= misfit(goKindOf(value, type), place, type);
    return value;
  }
  if (isBytes) return decodeByteValue(value, place, found);
  if (isDraft(value)) decodeObject(value, schema, place, found);
  else if (Array.isArray(value)) {
    const items = structureOf(schema)?.items;
    if (items === undefined) return value;
    // In a list of texts a null is the empty text, in one of structs an empty struct.
    for (const [index, item] of value.entries())
      if (item !== null) value[index] = decodeValue(item, items, { ...place, path: `${place.path}[${index}]` }, found);
      else if (keywordOf(items, "type") === "string") value[index] = "";
      else if (structureOf(items)?.properties !== undefined) value[index] = {};
  }
  return value;
}

function misfit(kind: string, { struct, goPath }: Place, type: string): string {
  return `json: cannot unmarshal ${kind} into Go struct field ${struct}.${goPath} of type ${type}`;
}

/** Bytes are a text in base64, or a list of numbers. */
function decodeByteValue(value: DraftValue, place: Place, found: Found): DraftValue {
  if (Array.isArray(value)) {
    const wrong = value.find(
      (item) => item !== null && !(Number.isInteger(item) && Number(item) >= 0 && Number(item) < 256),
    );
    if (wrong !== undefined) found.typeError ??= misfit(goKindOf(wrong, "int"), place, "uint8");
    return Buffer.from(value.map(Number)).toString("base64");
  }
  const scalar = decodeBytes(typeof value === "string" ? value : "");
  if (scalar.kind === "taken") return scalar.value;
  found.typeError ??= scalar.why;
  return value;
}

/** Types that decode themselves, by their names. */
const scalars: ReadonlyMap<string, (value: DraftValue) => Scalar> = new Map([
  ["Time", decodeTime],
  ["MicroTime", decodeMicroTime],
  ["Quantity", decodeQuantity],
  ["IntOrString", decodeIntOrString],
]);

/** How a type that decodes itself does so; undefined for all others. */
export function scalarOf(schema: Schema): ((value: DraftValue) => Scalar) | undefined {
  const structure = structureOf(schema);
  const named = structure && structNameOf(structure);
  return named === undefined ? undefined : scalars.get(named);
}

function isEmpty(value: DraftValue, schema: Schema): boolean {
  // What may be any JSON is kept as it is.
  if (Array.isArray(value)) return value.length === 0 && keywordOf(schema, "type") !== undefined;
  if (!isDraft(value)) return false;
  return structureOf(schema)?.additionalProperties !== undefined && Object.keys(value).length === 0;
}

/** Whether Go takes a value for the type that a schema names. */
export function fits(value: DraftValue, schema: Schema): boolean {
  switch (keywordOf(schema, "type")) {
    case "string":
      return typeof value === "string";
    case "boolean":
      return typeof value === "boolean";
    case "integer": {
      const bits = keywordOf(schema, "format") === "int32" ? 31 : 63;
      return typeof value === "number" && Number.isInteger(value) && value >= -(2 ** bits) && value < 2 ** bits;
    }
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

/** The Go type behind a schema, as far as it can be told. */
export function goTypeOf(schema: Schema): string {
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
      if (structure && hasAmounts(structure)) return "v1.ResourceList";
      return typeof structure?.additionalProperties === "object"
        ? `map[string]${goTypeOf(structure.additionalProperties)}`
        : "map[string]interface {}";
  }
}

function hasAmounts({ additionalProperties }: Schema): boolean {
  const inner = typeof additionalProperties === "object" ? structureOf(additionalProperties) : undefined;
  return inner !== undefined && structNameOf(inner) === "Quantity";
}

function zeroOf(schema: Schema): string | undefined {
  const structure = structureOf(schema);
  if (structure && structNameOf(structure) === "Quantity") return "0";
  return keywordOf(schema, "type") === "string" ? "" : undefined;
}
