import { keywordOf, type Schema, structureOf } from "@kubewright/core/schema";
import { builtinSchema, structNameOf } from "../builtin-api.js";
import { type DraftValue, isDraft } from "../draft.js";
import { decodeIntOrString, decodeMicroTime, decodeQuantity, decodeTime, type Scalar } from "./scalars.js";

/** Decodes the values of one schema. Computed once per schema: every write uses it. */
export interface Decoder {
  readonly schema: Schema;
  /** The custom unmarshaler of a scalar type: Quantity, Time, IntOrString. */
  readonly scalar: ((value: DraftValue) => Scalar) | undefined;
  /** For types whose custom unmarshaler calls this decoder: an error inside stops decoding, and unknown fields are not reported. */
  readonly inner: (() => Decoder) | undefined;
  readonly type: string | undefined;
  readonly isBytes: boolean;
  /** Integers must be in `[-limit, limit)`. */
  readonly limit: number;
  readonly struct: string | undefined;
  readonly fields: ReadonlyMap<string, Field> | undefined;
  /** Whether the value is a map: an empty map is dropped. */
  readonly isMap: boolean;
  /** The decoder of map entries and of list items. */
  entries(): Decoder | undefined;
  items(): Decoder | undefined;
}

/** One field of a struct. */
export interface Field {
  readonly name: string;
  /** Whether the field is kept if it is empty. */
  readonly isKept: boolean;
  decoder(): Decoder;
}

const decoders = new WeakMap<Schema, Decoder>();

/** The cached decoder of a schema. */
export function decoderOf(schema: Schema): Decoder {
  let decoder = decoders.get(schema);
  if (decoder === undefined) {
    decoder = makeDecoder(schema);
    decoders.set(schema, decoder);
  }
  return decoder;
}

/** Creates an inner decoder on first use: schemas are recursive. */
function lazy(schema: Schema): () => Decoder {
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
    // An empty managedFields list resets field ownership.
    const isKept = required.includes(name) || name === "managedFields";
    return [name, { name, isKept, decoder: lazy(inner) }];
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
    entries: typeof additionalProperties === "object" ? lazy(additionalProperties) : none,
    items: items === undefined ? none : lazy(items),
  };
}

/** Types in a CRD's schema that hold a schema or another value. */
const schemaParts: ReadonlySet<string> = new Set(["JSONSchemaPropsOrArray", "JSONSchemaPropsOrBool"]);

function nestedSchema(): Decoder {
  return decoderOf(builtinSchema("io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps"));
}

/** Scalar types with a custom unmarshaler, by name. */
const scalars: ReadonlyMap<string, (value: DraftValue) => Scalar> = new Map([
  ["Time", decodeTime],
  ["MicroTime", decodeMicroTime],
  ["Quantity", decodeQuantity],
  ["IntOrString", decodeIntOrString],
]);

/** The custom unmarshaler of a scalar type; undefined for other types. */
function scalarOf(schema: Schema): ((value: DraftValue) => Scalar) | undefined {
  const structure = structureOf(schema);
  const named = structure && structNameOf(structure);
  return named === undefined ? undefined : scalars.get(named);
}

/** Whether a value is of the type of its schema. */
export function isOfType(value: DraftValue, { type, limit }: Decoder): boolean {
  switch (type) {
    case "string":
    case "boolean":
      return typeof value === type;
    case "number":
      return typeof value === "number" || typeof value === "bigint";
    case "integer":
      // A double that is not a safe integer had a fraction or an exponent, or does not fit into int64.
      return (
        (typeof value === "bigint" || (typeof value === "number" && Number.isSafeInteger(value))) &&
        value >= -limit &&
        value < limit
      );
    case "array":
      return Array.isArray(value);
    case "object":
      return isDraft(value);
    default:
      return true;
  }
}
