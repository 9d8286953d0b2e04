import { keywordOf, type Schema, structureOf } from "@kubewright/core/schema";
import { builtinSchema, structNameOf } from "./builtin-api.js";
import { type DraftValue, isDraft } from "./draft.js";
import { decodeIntOrString, decodeMicroTime, decodeQuantity, decodeTime, type Scalar } from "./go-scalars.js";

/** How Go reads the values of one schema; worked out once, because every write walks along it. */
export interface Decoder {
  readonly schema: Schema;
  /** Types that decode themselves. */
  readonly scalar: ((value: DraftValue) => Scalar) | undefined;
  /** A type that decodes itself by another: what is wrong inside of it ends decoding at once, and what is unknown there is not told. */
  readonly inner: (() => Decoder) | undefined;
  readonly type: string | undefined;
  readonly isBytes: boolean;
  /** The largest integer, and how far below zero they go. */
  readonly limit: number;
  readonly struct: string | undefined;
  readonly fields: ReadonlyMap<string, Field> | undefined;
  /** Whether an empty map, or an empty list, is as good as none. */
  readonly isMap: boolean;
  /** What entries of maps, and of lists, are read by. */
  entries(): Decoder | undefined;
  items(): Decoder | undefined;
}

/** One field of a struct. */
export interface Field {
  readonly name: string;
  /** Kept also where it is empty. */
  readonly isKept: boolean;
  decoder(): Decoder;
}

const decoders = new WeakMap<Schema, Decoder>();

/** The decoder of a schema; the same one each time. */
export function decoderOf(schema: Schema): Decoder {
  let decoder = decoders.get(schema);
  if (decoder === undefined) {
    decoder = makeDecoder(schema);
    decoders.set(schema, decoder);
  }
  return decoder;
}

/** Reads a schema when it is first needed: schemas refer to themselves. */
function later(schema: Schema): () => Decoder {
  let decoder: Decoder | undefined;
  return () => {
    decoder ??= decoderOf(schema);
    return decoder;
  };
}

const none = (): undefined => undefined;

function makeDecoder(schema: Schema): Decoder {
  const { properties, additionalProperties, items, required = [] } = structureOf(schema) ?? {};
  const structure = structureOf(schema);
  const struct = structure && structNameOf(structure);
  const fieldOf = ([name, inner]: [string, Schema]): [string, Field] => {
    // An empty record of owners is a request to forget them all.
    const isKept = required.includes(name) || name === "managedFields";
    return [name, { name, isKept, decoder: later(inner) }];
  };
  return {
    schema,
    scalar: scalarOf(schema),
    inner: struct !== undefined && schemaParts.has(struct) ? nestedSchema : undefined,
    type: keywordOf(schema, "type"),
    isBytes: keywordOf(schema, "format") === "byte",
    limit: 2 ** (keywordOf(schema, "format") === "int32" ? 31 : 63),
    struct,
    fields: properties && new Map(Object.entries(properties).map(fieldOf)),
    isMap: additionalProperties !== undefined,
    entries: typeof additionalProperties === "object" ? later(additionalProperties) : none,
    items: items === undefined ? none : later(items),
  };
}

/** Parts of a definition's schema that hold a schema, or something else. */
const schemaParts: ReadonlySet<string> = new Set(["JSONSchemaPropsOrArray", "JSONSchemaPropsOrBool"]);

function nestedSchema(): Decoder {
  return decoderOf(builtinSchema("io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps"));
}

/** Types that decode themselves, by their names. */
const scalars: ReadonlyMap<string, (value: DraftValue) => Scalar> = new Map([
  ["Time", decodeTime],
  ["MicroTime", decodeMicroTime],
  ["Quantity", decodeQuantity],
  ["IntOrString", decodeIntOrString],
]);

/** How a type that decodes itself does so; undefined for all others. */
function scalarOf(schema: Schema): ((value: DraftValue) => Scalar) | undefined {
  const structure = structureOf(schema);
  const named = structure && structNameOf(structure);
  return named === undefined ? undefined : scalars.get(named);
}

/** Whether Go takes a value for the type that a schema names. */
export function isOfType(value: DraftValue, { type, limit }: Decoder): boolean {
  switch (type) {
    case "string":
    case "boolean":
    case "number":
      return typeof value === type;
    case "integer":
      return typeof value === "number" && Number.isInteger(value) && value >= -limit && value < limit;
    case "array":
      return Array.isArray(value);
    case "object":
      return isDraft(value);
    default:
      return true;
  }
}
