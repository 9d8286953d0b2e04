import { keywordOf, type Schema, structureOf } from "@kubewright/core/schema";
import { structNameOf } from "./builtin-api.js";
import { type Draft, type DraftValue, isDraft } from "./draft.js";
import { goTypeOf } from "./go-decode.js";
import { type Decoder, decoderOf, isOfType } from "./go-decoder.js";
import { decodeBytes } from "./go-scalars.js";

/**
 * What keeps a value from becoming an object of a built-in kind, in the words of the converter that a real server uses for objects that it
 * merged: not from text, but from values. The first such place; undefined when there is none. Integers that do not fit are cut to the bits of
 * their type in place, as that converter does. Frozen parts are those of a stored object, which has become one before.
 */
export function conversionError(draft: Draft, schema: Schema): string | undefined {
  return partsError(draft, decoderOf(schema));
}

function partsError(draft: Draft, decoder: Decoder): string | undefined {
  for (const key in draft) {
    const inner = decoder.fields?.get(key)?.decoder() ?? decoder.entries();
    if (inner === undefined) continue;
    const value = draft[key] ?? null;
    const error = valueError(value, inner);
    if (error !== undefined) return error;
    if (typeof value === "number" && inner.type === "integer" && !isOfType(value, inner))
      draft[key] = cut(value, inner);
  }
  return undefined;
}

function valueError(value: DraftValue, decoder: Decoder): string | undefined {
  if (value === null || (typeof value === "object" && Object.isFrozen(value))) return undefined;
  if (decoder.scalar !== undefined) {
    const scalar = decoder.scalar(value);
    return scalar.kind === "taken" ? undefined : scalar.why;
  }
  if (decoder.isBytes && typeof value === "string") {
    const bytes = decodeBytes(value);
    return bytes.kind === "taken" ? undefined : `error decoding from json: ${bytes.why}`;
  }
  if (decoder.isBytes && Array.isArray(value))
    return value.some((item) => item !== null && typeof item !== "number") ? "unrecognized type: uint8" : undefined;
  if (!isOfType(value, decoder)) return misfit(value, decoder.schema);
  if (isDraft(value)) return partsError(value, decoder);
  const items = decoder.items();
  if (!Array.isArray(value) || items === undefined) return undefined;
  for (const item of value) {
    const error = valueError(item, items);
    if (error !== undefined) return error;
  }
  return undefined;
}

function misfit(value: DraftValue, schema: Schema): string | undefined {
  const kind = kindOf(value);
  const structure = structureOf(schema);
  switch (keywordOf(schema, "type")) {
    case "array":
      return `cannot restore slice from ${kind}`;
    case "object":
      return structure && structNameOf(structure) !== undefined
        ? `cannot restore struct from: ${kind}`
        : `cannot restore map from ${kind}`;
    case "integer":
      if (Number.isInteger(value)) return undefined;
      return kind === "float64"
        ? `cannot convert float64 to ${goTypeOf(schema)}`
        : `unrecognized type: ${goTypeOf(schema)}`;
    case "string":
      if (keywordOf(schema, "format") === "byte") return `cannot restore slice from ${kind}`;
      return kind === "int64" ? "cannot convert int64 to string" : "unrecognized type: string";
    default:
      return `unrecognized type: ${goTypeOf(schema)}`;
  }
}

function cut(value: number, { schema }: Decoder): number {
  const bits = keywordOf(schema, "format") === "int32" ? 32 : 64;
  // What no integer of 64 bits can hold becomes the least of them on the machines that a real server runs on.
  const whole = kindOf(value) === "int64" ? BigInt(value) : -(2n ** 63n);
  return Number(BigInt.asIntN(bits, whole));
}

/** The kind of Go value that a JSON value is read as. */
function kindOf(value: DraftValue): string {
  if (Array.isArray(value)) return "slice";
  if (isDraft(value)) return "map";
  if (typeof value === "number") return Number.isInteger(value) && Math.abs(value) < 2 ** 63 ? "int64" : "float64";
  return typeof value === "boolean" ? "bool" : "string";
}
