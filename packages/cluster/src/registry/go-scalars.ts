import type { JsonValue } from "@kubewright/core/json";
import { formatMicroTime, formatTime } from "@kubewright/core/meta";
import { Quantity } from "@kubewright/core/quantity";
import type { DraftValue } from "./draft.js";
import { parseGoTime } from "./go-time.js";

/** A scalar as Go's decoder takes it: in its canonical form, or with what is wrong. */
export type Scalar =
  | { readonly kind: "taken"; readonly value: string | number }
  | { readonly kind: "refused"; readonly why: string };

/** An amount of a resource, in its canonical form. What is no text is read like its JSON. */
export function decodeQuantity(value: DraftValue): Scalar {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  try {
    return { kind: "taken", value: Quantity.parse(text).toString() };
  } catch (error) {
    return { kind: "refused", why: error instanceof Error ? error.message : String(error) };
  }
}

/** An amount in a list of resources: a real server rounds it up to thousandths. */
export function roundedAmount(text: string): string {
  const amount = Quantity.parse(text);
  const rounded = Quantity.parse(`${amount.toMilliUnits()}m`);
  return amount.compare(rounded) === 0 ? text : rounded.toString();
}

const base64Text = /^[A-Za-z0-9+/]*={0,2}$/;

/** Bytes in base64, padded. */
export function decodeBytes(text: string): Scalar {
  const plain = text.replace(/[\r\n]/g, "");
  if (plain.length % 4 === 0 && base64Text.test(plain)) return { kind: "taken", value: plain };
  const bad = [...plain].findIndex((character) => !/[A-Za-z0-9+/]/.test(character));
  // Go tells where the group of four begins that it could not read.
  const at = bad < 0 ? plain.length - (plain.length % 4) : bad;
  return { kind: "refused", why: `illegal base64 data at input byte ${at}` };
}

/** The same function, which remembers its last result: most times of an object are equal. */
function remembering(decode: (value: DraftValue) => Scalar): (value: DraftValue) => Scalar {
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
export const decodeTime: (text: DraftValue) => Scalar = remembering((text) => {
  if (typeof text !== "string") return notA("string", text);
  const read = parseGoTime(text, false);
  return read.kind === "refused" ? read : { kind: "taken", value: formatTime(read.ms) };
});

/** A time to the microsecond, in UTC; six digits must be there. */
export const decodeMicroTime: (text: DraftValue) => Scalar = remembering((text) => {
  if (typeof text !== "string") return notA("string", text);
  const read = parseGoTime(text, true);
  if (read.kind === "refused") return read;
  // Date knows milliseconds only: the digits themselves are kept.
  return { kind: "taken", value: formatMicroTime(read.ms).replace(/\.\d+Z$/, `.${read.microseconds}Z`) };
});

/** A number or a text. */
export function decodeIntOrString(value: DraftValue): Scalar {
  if (typeof value === "string") return { kind: "taken", value };
  if (typeof value !== "number" || !isInt32(value)) return notA("int32", value);
  return { kind: "taken", value };
}

/** Whether a number can be held in 32 bits, with a sign. */
function isInt32(value: number): boolean {
  return Number.isInteger(value) && value >= -(2 ** 31) && value < 2 ** 31;
}

/** The words for a value of another type, where Go has no field to name. */
function notA(type: string, value: DraftValue): Scalar {
  return { kind: "refused", why: `json: cannot unmarshal ${goKindOf(value, type)} into Go value of type ${type}` };
}

/** Go's name for the type of a JSON value; a number that is not a `wanted` integer is quoted. */
export function goKindOf(value: JsonValue, wanted = ""): string {
  if (Array.isArray(value)) return "array";
  switch (typeof value) {
    case "boolean":
      return "bool";
    case "number":
      return wanted.startsWith("int") ? `number ${value}` : "number";
    case "string":
      return "string";
    default:
      return "object";
  }
}
