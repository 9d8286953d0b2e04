import { type JsonValue, setOwn } from "@kubewright/core/json";

const token = /\s*(?:([{}[\],:])|("(?:[^"\\]|\\.)*")|([^\s{}[\],:"]+))/y;

/**
 * The value of a JSON text in which fields stand twice, as Go reads it into its types: two objects under one key are laid over each other,
 * where `JSON.parse` takes the last.
 *
 * The text must be valid JSON, and bounded in depth.
 */
export function mergeDuplicates(text: string): JsonValue {
  token.lastIndex = 0;
  const first = next(text);
  return first === "{" ? readObject(text, {}, true) : readValue(first, text, undefined);
}

/** Texts of every Go type, which a null leaves as they are. */
const keptTexts: readonly string[] = ["apiVersion", "kind"];

function next(text: string): string {
  const [, mark, string, word] = token.exec(text) ?? [];
  return mark ?? string ?? word ?? "";
}

function readValue(first: string, text: string, before: JsonValue | undefined): JsonValue {
  if (first === "{") return readObject(text, isObject(before) ? before : {});
  if (first !== "[") return JSON.parse(first) as JsonValue;
  const items: JsonValue[] = [];
  for (let read = next(text); read !== "]"; read = next(text))
    if (read !== ",") items.push(readValue(read, text, undefined));
  return items;
}

function readObject(text: string, into: Record<string, JsonValue>, isWhole = false): JsonValue {
  for (let read = next(text); read !== "}"; read = next(text)) {
    if (read === ",") continue;
    const key = JSON.parse(read) as string;
    next(text);
    const before = Object.hasOwn(into, key) ? into[key] : undefined;
    const value = readValue(next(text), text, before);
    const isKept = isWhole && value === null && typeof before === "string" && keptTexts.includes(key);
    if (!isKept) setOwn(into, key, value);
  }
  return into;
}

function isObject(value: JsonValue | undefined): value is Record<string, JsonValue> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
