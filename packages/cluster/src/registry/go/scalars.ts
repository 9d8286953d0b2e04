import { type JsonValue, stringifyJson } from "@kubewright/core/json";
import { formatMicroTime, formatTime } from "@kubewright/core/meta";
import { Quantity } from "@kubewright/core/quantity";
import type { DraftValue } from "../draft.js";
import { parseTime } from "./time.js";

/** A scalar in canonical form, or the error. */
export type Scalar =
  | { readonly kind: "accepted"; readonly value: string | number }
  | { readonly kind: "rejected"; readonly why: string };

/** Decodes a Quantity. A number is parsed like its JSON. */
export function decodeQuantity(value: DraftValue): Scalar {
  const text = typeof value === "string" ? value : stringifyJson(value);
  try {
    return { kind: "accepted", value: Quantity.parse(text).toString() };
  } catch (error) {
    return { kind: "rejected", why: error instanceof Error ? error.message : String(error) };
  }
}

/** Rounds a quantity of a resource list up to milli-units, as kube-apiserver's defaulting does. */
export function roundedQuantity(text: string): string {
  const quantity = Quantity.parse(text);
  const rounded = Quantity.parse(`${quantity.toMilliUnits()}m`);
  return quantity.compare(rounded) === 0 ? text : rounded.toString();
}

const base64 = /^[A-Za-z0-9+/]*={0,2}$/;

/** Decodes bytes in padded base64. */
export function decodeBytes(text: string): Scalar {
  const plain = text.replace(/[\r\n]/g, "");
  if (plain.length % 4 === 0 && base64.test(plain)) {
    // Bits beyond the last byte are dropped.
    const value = plain.endsWith("=") ? Buffer.from(plain, "base64").toString("base64") : plain;
    return { kind: "accepted", value };
  }
  const wrong = plain.search(/[^A-Za-z0-9+/]/);
  // Go reports the first byte of an incomplete group of four.
  const at = wrong < 0 ? plain.length - (plain.length % 4) : wrong;
  return { kind: "rejected", why: `illegal base64 data at input byte ${at}` };
}

/** Caches the last result of a function: most times of an object are equal. */
function cached(decode: (value: DraftValue) => Scalar): (value: DraftValue) => Scalar {
  let last: DraftValue;
  let result: Scalar | undefined;
  return (value) => {
    if (result === undefined || value !== last) {
      result = decode(value);
      last = value;
    }
    return result;
  };
}

/** Decodes a Time: seconds, in UTC. */
export const decodeTime: (text: DraftValue) => Scalar = cached((text) => {
  if (typeof text !== "string") return wrongType("string", text);
  const parsed = parseTime(text, false);
  return parsed.kind === "rejected" ? parsed : { kind: "accepted", value: formatTime(parsed.ms) };
});

/** Decodes a MicroTime: microseconds, in UTC, with all six digits. */
export const decodeMicroTime: (text: DraftValue) => Scalar = cached((text) => {
  if (typeof text !== "string") return wrongType("string", text);
  const parsed = parseTime(text, true);
  if (parsed.kind === "rejected") return parsed;
  // A Date holds only milliseconds: the digits are copied.
  return { kind: "accepted", value: formatMicroTime(parsed.ms).replace(/\.\d+Z$/, `.${parsed.microseconds}Z`) };
});

/** Decodes an IntOrString. */
export function decodeIntOrString(value: DraftValue): Scalar {
  if (typeof value === "string" || (typeof value === "number" && (value | 0) === value))
    return { kind: "accepted", value };
  return wrongType("int32", value);
}

function wrongType(type: string, value: DraftValue): Scalar {
  return { kind: "rejected", why: `json: cannot unmarshal ${jsonTypeOf(value, type)} into Go value of type ${type}` };
}

/** Go's name for the type of a JSON value, with the number itself if an integer is expected. */
export function jsonTypeOf(value: JsonValue, expected = ""): string {
  if (Array.isArray(value)) return "array";
  if (typeof value === "boolean") return "bool";
  if (typeof value === "bigint" || typeof value === "number")
    return expected.startsWith("int") ? `number ${value}` : "number";
  return value === null ? "null" : typeof value;
}
