import { setOwn } from "@kubewright/core/json";
import { keywordOf, type Schema, structureOf } from "@kubewright/core/schema";
import { structNameOf } from "./builtin-api.js";
import { type Draft, type DraftValue, isDraft } from "./draft.js";
import { rememberEmptied } from "./emptied-fields.js";
import { type Decoder, decoderOf, type Field, isOfType } from "./go-decoder.js";
import { decodeBytes, decodeQuantity, goKindOf, roundedAmount } from "./go-scalars.js";
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
 * order of the body, or in that of the keys, where a real server's decoder is handed a map that was written again. Frozen parts are those
 * of a stored object, and were decoded before it was stored: they stay as they are.
 */
export function decodeBuiltin(draft: Draft, schema: Schema, order: "body" | "keys" = "body"): Decoded {
  const found: Found = { place: [], unknown: none, wrong: none, fatal: none, emptied: undefined };
  decodeObject(draft, decoderOf(schema), structNameOf(schema) ?? "", found);
  if (found.emptied !== undefined) rememberEmptied(draft, found.emptied);
  const { unknown, wrong, fatal } = found;
  if (unknown === none && wrong === none && fatal === none) return nothingFound;
  // Nearly always there is nothing: that is cheaper than to look at everything in its order.
  const inOrder = (finds: readonly Find[]): readonly Find[] => (order === "keys" ? finds.toSorted(byPlace) : finds);
  return {
    unknownFields: inOrder(unknown).map(({ text }) => text),
    typeError: (inOrder(fatal)[0] ?? inOrder(wrong)[0])?.text,
  };
}

/** What nothing is ever put into. */
const none: Find[] = [];
const nothingFound: Decoded = { unknownFields: [], typeError: undefined };

interface Found {
  /** The way to the value that is looked at: names of fields, keys of maps, and indexes. */
  readonly place: Step[];
  unknown: Find[];
  wrong: Find[];
  /** What ends decoding at once, and is told in place of what was found before: a type that decodes itself does not take the value. */
  fatal: Find[];
  /** Fields of the root that were there, and empty; undefined for none. */
  emptied: Set<string> | undefined;
}

interface Find {
  readonly place: readonly Step[];
  readonly text: string;
}

/** A field of a struct, or an entry of a map or a list. */
type Step = Field | string | number;

function nameOf(step: Step): string | number {
  return typeof step === "object" ? step.name : step;
}

/** Keys in their order, and elements in theirs. */
function byPlace({ place: one }: Find, { place: other }: Find): number {
  for (let at = 0; at < Math.min(one.length, other.length); at++) {
    const a = nameOf(one[at] ?? "");
    const b = nameOf(other[at] ?? "");
    if (a !== b) return a < b ? -1 : 1;
  }
  return one.length - other.length;
}

function tell(found: Found, what: "unknown" | "wrong" | "fatal", text: string): void {
  if (found[what] === none) found[what] = [];
  found[what].push({ place: [...found.place], text });
}

/** With indexes: `spec.containers[0].name`. */
function pathOf(place: readonly Step[]): string {
  let path = "";
  for (const step of place)
    if (typeof step === "number") path += `[${step}]`;
    else {
      const name = nameOf(step);
      path += path === "" ? name : `.${name}`;
    }
  return path;
}

/** As Go prints it, without indexes and keys of maps: `spec.containers.name`. */
function goPathOf(place: readonly Step[]): string {
  return place.flatMap((step) => (typeof step === "object" ? [step.goPath] : [])).join(".");
}

function decodeObject(draft: Draft, decoder: Decoder, above: string, found: Found): void {
  const { fields } = decoder;
  const entries = decoder.entries();
  if (fields === undefined && entries === undefined) return;
  const struct = decoder.struct ?? above;
  const { place } = found;
  for (const key in draft) {
    const value = draft[key] ?? null;
    const field = fields?.get(key);
    place.push(field ?? key);
    if (field !== undefined) decodeField(draft, field, value, struct, found);
    else if (entries !== undefined) decodeEntry(draft, key, value, entries, above, found);
    else {
      tell(found, "unknown", pathOf(place));
      delete draft[key];
    }
    place.pop();
  }
}

function decodeField(draft: Draft, field: Field, value: DraftValue, struct: string, found: Found): void {
  // In a struct a null is nothing.
  if (value === null) {
    delete draft[field.name];
    return;
  }
  const decoder = field.decoder();
  const decoded = decodeValue(value, decoder, struct, found);
  if (typeof decoded === "object" && !field.isKept && isEmpty(decoded, decoder)) {
    delete draft[field.name];
    if (found.place.length > 1) return;
    found.emptied ??= new Set();
    found.emptied.add(field.name);
  } else if (decoded !== value) draft[field.name] = decoded;
}

function decodeEntry(draft: Draft, key: string, value: DraftValue, inner: Decoder, struct: string, found: Found): void {
  if (value !== null) {
    const decoded = decodeValue(value, inner, struct, found);
    // Defaults do not reach the overhead of a class of runtimes.
    const isAmount =
      inner.scalar === decodeQuantity &&
      typeof decoded === "string" &&
      /[un]$|e-/i.test(decoded) &&
      !found.place.some((step) => nameOf(step) === "podFixed");
    const kept = isAmount ? roundedAmount(decoded) : decoded;
    if (kept !== value) setOwn(draft, key, kept);
    return;
  }
  // In a map a null is the zero value of its type.
  const zero = zeroOf(inner.schema);
  if (zero === undefined) delete draft[key];
  else draft[key] = zero;
  if (inner.isBytes) rememberNullBytes(draft, key);
}

/** The value itself, decoded in place; or, for texts that Go reads as something else, their canonical form. */
function decodeValue(value: DraftValue, decoder: Decoder, struct: string, found: Found): DraftValue {
  if (decoder.scalar !== undefined) {
    const scalar = decoder.scalar(value);
    if (scalar.kind === "taken") return scalar.value;
    const place = `Go struct field ${struct}.${goPathOf(found.place)} of type`;
    tell(found, "fatal", scalar.why.replace("Go value of type", place));
    return value;
  }
  if (decoder.inner !== undefined) {
    decodeBySelf(value, decoder.inner(), struct, found);
    return value;
  }
  if (!isOfType(value, decoder) && !(decoder.isBytes && Array.isArray(value))) {
    const type = goTypeAt(found.place) ?? goTypeOf(decoder.schema);
    tell(found, "wrong", misfit(goKindOf(value, type), struct, found.place, type));
    return value;
  }
  if (decoder.isBytes) return decodeByteValue(value, struct, found);
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  if (Array.isArray(value)) decodeList(value, decoder, struct, found);
  else decodeObject(value, decoder, struct, found);
  return value;
}

/** An object, or several, inside of a type that decodes itself. Anything else is for the rules of the kind to judge. */
function decodeBySelf(value: DraftValue, inner: Decoder, struct: string, found: Found): void {
  const own: Found = { place: found.place, unknown: none, wrong: none, fatal: none, emptied: undefined };
  if (Array.isArray(value)) for (const item of value) if (isDraft(item)) decodeObject(item, inner, struct, own);
  if (isDraft(value)) decodeObject(value, inner, struct, own);
  const [first] = own.fatal.length > 0 ? own.fatal : own.wrong;
  if (first === undefined) return;
  if (found.fatal === none) found.fatal = [];
  found.fatal.push(first);
}

function decodeList(list: DraftValue[], decoder: Decoder, struct: string, found: Found): void {
  const items = decoder.items();
  if (items === undefined) return;
  for (let index = 0; index < list.length; index++) {
    const item = list[index] ?? null;
    // In a list of texts a null is the empty text, in one of structs an empty struct.
    if (item === null) {
      if (items.type === "string") list[index] = "";
      else if (items.fields !== undefined) list[index] = {};
      continue;
    }
    found.place.push(index);
    const decoded = decodeValue(item, items, struct, found);
    if (decoded !== item) list[index] = decoded;
    found.place.pop();
  }
}

/** The Go type of a text that has one of its own, or of a list of such; undefined for others. */
function goTypeAt(place: readonly Step[]): string | undefined {
  const step = place.at(-1);
  if (typeof step === "object") return step.goType;
  const list = typeof step === "number" ? place.at(-2) : undefined;
  return typeof list === "object" && list.goType?.startsWith("[]") ? list.goType.slice(2) : undefined;
}

function misfit(kind: string, struct: string, place: readonly Step[], type: string): string {
  return `json: cannot unmarshal ${kind} into Go struct field ${struct}.${goPathOf(place)} of type ${type}`;
}

/** Bytes are a text in base64, or a list of numbers. */
function decodeByteValue(value: DraftValue, struct: string, found: Found): DraftValue {
  if (Array.isArray(value)) {
    const wrong = value.find(
      (item) => item !== null && !(Number.isInteger(item) && Number(item) >= 0 && Number(item) < 256),
    );
    if (wrong !== undefined) tell(found, "wrong", misfit(goKindOf(wrong, "int"), struct, found.place, "uint8"));
    return Buffer.from(value.map(Number)).toString("base64");
  }
  const scalar = decodeBytes(typeof value === "string" ? value : "");
  if (scalar.kind === "taken") return scalar.value;
  tell(found, "wrong", scalar.why);
  return value;
}

function isEmpty(value: DraftValue, decoder: Decoder): boolean {
  // What may be any JSON is kept as it is.
  if (Array.isArray(value)) return value.length === 0 && decoder.type !== undefined;
  return decoder.isMap && isDraft(value) && Object.keys(value).length === 0;
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
