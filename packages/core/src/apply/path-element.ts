import { OperatorError } from "../errors/index.js";
import {
  goJson,
  goQuote,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  parseJson,
  stringifyJson,
} from "../json/index.js";

/**
 * One element of a field path in FieldsV1 format: `f:name` is a field, `k:{"name":"web"}` a list element by its keys,
 * `v:"x"` a set element, `i:0` an element by index. Keys are sorted, so that equal elements are equal strings.
 */
export type PathElement = string;

/** The path element of a field. */
export function fieldElement(name: string): PathElement {
  return `f:${name}`;
}

/** The path element of the list element with these keys. */
export function keyElement(keys: JsonObject): PathElement {
  return `k:${canonical(keys)}`;
}

/** The path element of a set element. */
export function valueElement(value: JsonValue): PathElement {
  return `v:${canonical(value)}`;
}

/** Parses a path element of FieldsV1, with keys in any order. Throws an API_BAD_REQUEST error if it is malformed. */
export function parseElement(text: string): PathElement {
  const rest = text.slice(2);
  switch (text.slice(0, 2)) {
    case "f:":
      return text;
    case "i:":
      if (/^-?\d+$/.test(rest)) return `i:${Number(rest)}`;
      break;
    case "v:":
      return valueElement(parseRest(text, rest));
    case "k:": {
      const keys = parseRest(text, rest);
      if (isJsonObject(keys)) return keyElement(keys);
      break;
    }
    default:
  }
  throw unreadable(text);
}

/** A path element as conflict messages print it: `.image`, `[name="web"]`, `[="x"]`, `[0]`. */
export function printElement(element: PathElement): string {
  const rest = element.slice(2);
  switch (element.slice(0, 2)) {
    case "f:":
      return `.${rest}`;
    case "k:": {
      const keys = parseJson(rest);
      const shown = Object.entries(isJsonObject(keys) ? keys : {}).map(([name, value]) => `${name}=${printKey(value)}`);
      return `[${shown.join(",")}]`;
    }
    case "v:":
      return `[=${printKey(parseJson(rest))}]`;
    default:
      return `[${rest}]`;
  }
}

function printKey(value: JsonValue): string {
  if (typeof value === "string") return goQuote(value);
  if (Array.isArray(value)) return `[${(value as readonly JsonValue[]).map(printKey).join(",")}]`;
  if (!isJsonObject(value)) return stringifyJson(value);
  return Object.entries(value)
    .map(([name, inner]) => `${name}=${printKey(inner)}`)
    .join("");
}

const ranks = "fkvi";
const field = "f".charCodeAt(0);

/** kube-apiserver's order: fields first, then keys, values, indices. Keys and values compare by type, so port 80 comes before port 443. */
export function compareElements(a: PathElement, b: PathElement): number {
  // Fast path: most elements are fields.
  if (a.charCodeAt(0) === field && b.charCodeAt(0) === field) return a < b ? -1 : a > b ? 1 : 0;
  const rank = ranks.indexOf(a.charAt(0)) - ranks.indexOf(b.charAt(0));
  if (rank !== 0) return rank;
  if (a.startsWith("i:")) return Number(a.slice(2)) - Number(b.slice(2));
  if (a.startsWith("f:")) return compareStrings(a, b);
  const left = parseJson(a.slice(2));
  const right = parseJson(b.slice(2));
  if (a.startsWith("v:")) return compareValues(left, right);
  return compareKeys(Object.entries(left ?? {}), Object.entries(right ?? {}));
}

function compareStrings(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

type KeyEntry = readonly [name: string, value: JsonValue];

function compareKeys(a: readonly KeyEntry[], b: readonly KeyEntry[]): number {
  for (const [index, [name, value]] of a.entries()) {
    const other = b[index];
    if (other === undefined) return 1;
    const order = compareStrings(name, other[0]) || compareValues(value, other[1]);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

const typeOrder = ["number", "string", "boolean", "object"];

function compareValues(a: JsonValue, b: JsonValue): number {
  if (isNumeric(a) && isNumeric(b)) return a < b ? -1 : a > b ? 1 : 0;
  if (typeof a === "string" && typeof b === "string") return compareStrings(a, b);
  if (typeof a === typeof b) return compareStrings(stringifyJson(a), stringifyJson(b));
  return typeOrder.indexOf(isNumeric(a) ? "number" : typeof a) - typeOrder.indexOf(isNumeric(b) ? "number" : typeof b);
}

function isNumeric(value: JsonValue): value is number | bigint {
  return typeof value === "number" || typeof value === "bigint";
}

/** Strings that JSON does not escape. */
const plainText = /^[\w .:/@-]*$/;

function canonical(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (typeof value === "string" && plainText.test(value)) return `"${value}"`;
  if (!isJsonObject(value)) return goJson(value);
  const names = Object.keys(value).sort();
  return `{${names.map((name) => `${goJson(name)}:${canonical(value[name] ?? null)}`).join(",")}}`;
}

function parseRest(text: string, json: string): JsonValue {
  try {
    return parseJson(json);
  } catch (error) {
    throw unreadable(text, error);
  }
}

function unreadable(text: string, cause?: unknown): OperatorError {
  return new OperatorError("API_BAD_REQUEST", `Cannot read managed field "${text.slice(0, 80)}": unknown form`, {
    cause,
  });
}
