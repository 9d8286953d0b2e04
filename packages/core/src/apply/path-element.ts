import { OperatorError } from "../errors/index.js";
import { isJsonObject, type JsonObject, type JsonValue } from "../json/index.js";

/**
 * One step of a path, as FieldsV1 writes it: `f:name` a field, `k:{"name":"web"}` a list element by its keys,
 * `v:"x"` an element of a set, `i:0` an element by its index. Keys are sorted, so that equal steps are equal texts.
 */
export type PathElement = string;

/** The step to a field of an object. */
export function fieldElement(name: string): PathElement {
  return `f:${name}`;
}

/** The step to the list element that has these keys. */
export function keyElement(keys: JsonObject): PathElement {
  return `k:${canonical(keys)}`;
}

/** The step to this element of a set. */
export function valueElement(value: JsonValue): PathElement {
  return `v:${canonical(value)}`;
}

/** Reads a step from FieldsV1, whatever the order of its keys. Throws an API_BAD_REQUEST error where it is none. */
export function parseElement(text: string): PathElement {
  const rest = text.slice(2);
  switch (text.slice(0, 2)) {
    case "f:":
      return text;
    case "i:":
      if (/^-?\d+$/.test(rest)) return `i:${Number(rest)}`;
      break;
    case "v:":
      return valueElement(parseJson(text, rest));
    case "k:": {
      const keys = parseJson(text, rest);
      if (isJsonObject(keys)) return keyElement(keys);
      break;
    }
    default:
  }
  throw unreadable(text);
}

/** A step as conflict texts print it: `.image`, `[name="web"]`, `[="x"]`, `[0]`. */
export function printElement(element: PathElement): string {
  const rest = element.slice(2);
  switch (element.slice(0, 2)) {
    case "f:":
      return `.${rest}`;
    case "k:": {
      const keys: Record<string, unknown> = JSON.parse(rest);
      const shown = Object.entries(keys).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
      return `[${shown.join(",")}]`;
    }
    case "v:":
      return `[=${rest}]`;
    default:
      return `[${rest}]`;
  }
}

const ranks = "fkvi";

/** The server's order: fields first, then keys, values, indices. */
export function compareElements(a: PathElement, b: PathElement): number {
  const rank = ranks.indexOf(a.charAt(0)) - ranks.indexOf(b.charAt(0));
  if (rank !== 0) return rank;
  if (a.startsWith("i:")) return Number(a.slice(2)) - Number(b.slice(2));
  return a < b ? -1 : a > b ? 1 : 0;
}

function canonical(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (!isJsonObject(value)) return goJson(value);
  const names = Object.keys(value).sort();
  return `{${names.map((name) => `${goJson(name)}:${canonical(value[name] ?? null)}`).join(",")}}`;
}

/** A scalar as Go writes it: harmless in HTML and in scripts. */
function goJson(value: JsonValue): string {
  return JSON.stringify(value).replace(
    /[<>&\u2028\u2029]/g,
    (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

function parseJson(text: string, json: string): JsonValue {
  try {
    return JSON.parse(json);
  } catch (error) {
    throw unreadable(text, error);
  }
}

function unreadable(text: string, cause?: unknown): OperatorError {
  return new OperatorError("API_BAD_REQUEST", `Cannot read managed field "${text.slice(0, 80)}": unknown form`, {
    cause,
  });
}
