import type { JsonValue } from "@kubewright/core/json";
import { formatMicroTime, formatTime } from "@kubewright/core/meta";
import { Quantity } from "@kubewright/core/quantity";
import type { DraftValue } from "../draft.js";
import { parseTime } from "./time.js";

/** A scalar in its canonical form, or why it was rejected. */
export type Scalar =
  | { readonly kind: "accepted"; readonly value: string | number }
  | { readonly kind: "rejected"; readonly why: string };

/** A quantity. A number is read like its JSON. */
export function decodeQuantity(value: DraftValue): Scalar {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  try {
    return { kind: "accepted", value: Quantity.parse(text).toString() };
  } catch (error) {
    return { kind: "rejected", why: error instanceof Error ? error.message : String(error) };
  }
}

/** A quantity of a resource list, which a real server rounds up to thousandths. */
export function roundedQuantity(text: string): string {
  const quantity = Quantity.parse(text);
  const rounded = Quantity.parse(`${quantity.toMilliUnits()}m`);
  return quantity.compare(rounded) === 0 ? text : rounded.toString();
}

const base64 = /^[A-Za-z0-9+/]*={0,2}$/;

/** Bytes in padded base64. */
export function decodeBytes(text: string): Scalar {
  const plain = text.replace(/[\r\n]/g, "");
  if (plain.length % 4 === 0 && base64.test(plain)) return { kind: "accepted", value: plain };
  const wrong = plain.search(/[^A-Za-z0-9+/]/);
  // Go names the first byte of an incomplete group of four.
  const at = wrong < 0 ? plain.length - (plain.length % 4) : wrong;
  return { kind: "rejected", why: `illegal base64 data at input byte ${at}` };
}

/** The same function with its last result cached: most times of an object are equal. */
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

/** A time to the second, in UTC. */
export const decodeTime: (text: DraftValue) => Scalar = cached((text) => {
  if (typeof text !== "string") return wrongType("string", text);
  const read = parseTime(text, false);
  return read.kind === "rejected" ? read : { kind: "accepted", value: formatTime(read.ms) };
});

/** A time to the microsecond, in UTC, with all six digits. */
export const decodeMicroTime: (text: DraftValue) => Scalar = cached((text) => {
  if (typeof text !== "string") return wrongType("string", text);
  const read = parseTime(text, true);
  if (read.kind === "rejected") return read;
  // A Date holds milliseconds: the digits are copied.
  return { kind: "accepted", value: formatMicroTime(read.ms).replace(/\.\d+Z$/, `.${read.microseconds}Z`) };
});

/** A 32-bit integer or a string. */
export function decodeIntOrString(value: DraftValue): Scalar {
  if (typeof value === "string" || (typeof value === "number" && (value | 0) === value))
    return { kind: "accepted", value };
  return wrongType("int32", value);
}

function wrongType(type: string, value: DraftValue): Scalar {
  return { kind: "rejected", why: `json: cannot unmarshal ${jsonTypeOf(value, type)} into Go value of type ${type}` };
}

/** Go's name for the type of a JSON value; a number that is not a `wanted` integer is quoted. */
export function jsonTypeOf(value: JsonValue, wanted = ""): string {
  if (Array.isArray(value)) return "array";
  if (typeof value === "boolean") return "bool";
  if (typeof value === "number" && wanted.startsWith("int")) return `number ${value}`;
  return value === null ? "null" : typeof value;
}
