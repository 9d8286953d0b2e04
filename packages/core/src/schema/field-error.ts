import { goJson, goQuote, isJsonObject, type JsonValue, stringifyJson } from "../json/index.js";

/** Kubernetes' `field.ErrorType`. */
export type FieldErrorType =
  | "NotFound"
  | "Required"
  | "Duplicate"
  | "Invalid"
  | "NotSupported"
  | "Forbidden"
  | "TooLong"
  | "TooShort"
  | "TooMany"
  | "TooFew"
  | "TypeInvalid"
  | "Internal";

/** A validation error of a field. */
export interface FieldError {
  readonly type: FieldErrorType;
  /** The path of the field, for instance `spec.containers[0].name`; `<nil>` if kube-apiserver reports none. */
  readonly field: string;
  /** The invalid value; undefined if the message omits it. */
  readonly badValue?: JsonValue | undefined;
  /** How the message prints the invalid value, where kube-apiserver prints a value of a Go type. @default the value as JSON */
  readonly printed?: string;
  readonly detail: string;
}

const titles: Readonly<Record<FieldErrorType, string>> = {
  NotFound: "Not found",
  Required: "Required value",
  Duplicate: "Duplicate value",
  Invalid: "Invalid value",
  NotSupported: "Unsupported value",
  Forbidden: "Forbidden",
  TooLong: "Too long",
  TooShort: "Too short",
  TooMany: "Too many",
  TooFew: "Too few",
  TypeInvalid: "Invalid value",
  Internal: "Internal error",
};

const withoutValue: ReadonlySet<FieldErrorType> = new Set(["Required", "Forbidden", "TooLong", "TooShort", "Internal"]);

/** The message with the path: `spec.x: Invalid value: "y": detail`. */
export function formatFieldError(error: FieldError): string {
  return `${error.field}: ${fieldErrorBody(error)}`;
}

/** The message without the path, as in `details.causes[].message`. */
export function fieldErrorBody(error: FieldError): string {
  let text = titles[error.type];
  if (!withoutValue.has(error.type) && error.badValue !== undefined)
    text += `: ${error.printed ?? printValue(error.badValue)}`;
  return error.detail === "" ? text : `${text}: ${error.detail}`;
}

/** The value of `details.causes[].reason`. */
export function fieldErrorReason(type: FieldErrorType): string {
  return type === "Internal" ? "InternalError" : `FieldValue${type}`;
}

/** A missing required field. */
export function required(field: string, detail = ""): FieldError {
  return { type: "Required", field, badValue: "", detail };
}

/** A field with an invalid value. */
export function invalid(field: string, badValue: JsonValue, detail: string): FieldError {
  return { type: "Invalid", field, badValue, detail };
}

/** A field that must not be set. */
export function forbidden(field: string, detail: string): FieldError {
  return { type: "Forbidden", field, badValue: "", detail };
}

/** A duplicate value. */
export function duplicate(field: string, badValue: JsonValue): FieldError {
  return { type: "Duplicate", field, badValue, detail: "" };
}

/** A value that is not one of the supported values. */
export function notSupported(field: string, badValue: JsonValue, supported: readonly string[]): FieldError {
  const values = supported.map((value) => JSON.stringify(value)).join(", ");
  return { type: "NotSupported", field, badValue, detail: values === "" ? "" : `supported values: ${values}` };
}

/** A string longer than `maxLength`. */
export function tooLong(field: string, maxLength: number): FieldError {
  const unit = maxLength === 1 ? "byte" : "bytes";
  const detail = maxLength < 0 ? "value is too long" : `may not be more than ${maxLength} ${unit}`;
  return { type: "TooLong", field, badValue: "<value omitted>", detail };
}

/** A list or map with more than `max` entries. */
export function tooMany(field: string, actual: number, max: number): FieldError {
  const unit = max === 1 ? "item" : "items";
  return { type: "TooMany", field, badValue: actual, detail: `must have at most ${max} ${unit}` };
}

function printValue(value: JsonValue): string {
  if (typeof value === "number") return printNumber(value);
  if (typeof value === "string") return goQuote(value);
  if (typeof value !== "object" || value === null) return stringifyJson(value);
  return goJson(sortKeys(value));
}

function sortKeys(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, field]) => [key, sortKeys(field)]),
  );
}

/** A number as Go prints it: integers in full, large and small fractions with an exponent. */
export function printNumber(value: number): string {
  // Go converts a number that fits no int64 to the smallest int64, and prints all its digits.
  if (value === -(2 ** 63)) return "-9223372036854775808";
  if (Number.isInteger(value) || (Math.abs(value) < 1e6 && Math.abs(value) >= 1e-4)) return String(value);
  return value.toExponential().replace(/e([+-])(\d)$/, "e$10$2");
}
