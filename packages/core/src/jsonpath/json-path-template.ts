import { isJsonObject, type JsonValue } from "../json/index.js";
import { type JsonPath, parseJsonPath } from "./json-path.js";
import { JsonPathError } from "./json-path-error.js";

/** A template that has been parsed. */
export interface JsonPathTemplate {
  /** The text for a value. A path that leads nowhere prints nothing, as with kubectl. */
  format(value: JsonValue): string;
}

type Part =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "path"; readonly path: JsonPath; readonly fromRoot: boolean }
  | { readonly kind: "range"; readonly path: JsonPath; readonly fromRoot: boolean; readonly body: readonly Part[] };

const maxDepth = 50;

/**
 * Parses a template of `kubectl -o jsonpath`: text with paths in braces, quoted text in braces, and `{range PATH}...{end}`.
 *
 * Throws a {@link JsonPathError} where it does not parse.
 *
 * @example
 * parseJsonPathTemplate('{range .items[*]}{.metadata.name}{"\n"}{end}').format(list);
 */
export function parseJsonPathTemplate(template: string): JsonPathTemplate {
  const tokens = tokensOf(template);
  const { parts, next } = parseParts(template, tokens, 0, 0);
  if (next < tokens.length) throw new JsonPathError(template, "it has an {end} without a {range}");
  return { format: (value) => formatParts(parts, value, value) };
}

type Token = { readonly kind: "text" | "expression"; readonly text: string };

function tokensOf(template: string): Token[] {
  const tokens: Token[] = [];
  let position = 0;
  while (position < template.length) {
    const open = template.indexOf("{", position);
    if (open < 0) {
      tokens.push({ kind: "text", text: template.slice(position) });
      break;
    }
    if (open > position) tokens.push({ kind: "text", text: template.slice(position, open) });
    const close = closingBrace(template, open);
    tokens.push({ kind: "expression", text: template.slice(open + 1, close).trim() });
    position = close + 1;
  }
  return tokens;
}

/** Braces inside quotes belong to the quoted text. */
function closingBrace(template: string, open: number): number {
  let quote = "";
  for (let index = open + 1; index < template.length; index++) {
    const letter = template.charAt(index);
    if (letter === "\\") index++;
    else if (quote !== "") quote = letter === quote ? "" : quote;
    else if (letter === `"` || letter === "'") quote = letter;
    else if (letter === "}") return index;
  }
  throw new JsonPathError(template, "a brace is not closed");
}

/** Parts up to the `{end}` of this level, or up to the end of the template. */
function parseParts(
  template: string,
  tokens: readonly Token[],
  start: number,
  depth: number,
): { parts: Part[]; next: number } {
  if (depth > maxDepth) throw new JsonPathError(template, `ranges are nested more than ${maxDepth} deep`);
  const parts: Part[] = [];
  let index = start;
  while (index < tokens.length) {
    const token = tokens[index];
    if (token === undefined || token.text === "end") break;
    index++;
    if (token.kind === "text") parts.push({ kind: "text", text: token.text });
    else if (/^(["']).*\1$/s.test(token.text)) parts.push({ kind: "text", text: unquote(token.text) });
    else if (/^range\s/.test(token.text)) {
      const body = parseParts(template, tokens, index, depth + 1);
      const isClosed = body.next < tokens.length;
      // kubectl takes a range that is never closed, and prints nothing of it.
      if (isClosed) parts.push({ kind: "range", ...pathOf(token.text.slice("range".length).trim()), body: body.parts });
      index = body.next + 1;
    } else parts.push({ kind: "path", ...pathOf(token.text) });
  }
  return { parts, next: index };
}

function pathOf(text: string): { path: JsonPath; fromRoot: boolean } {
  return { path: parseJsonPath(text), fromRoot: text.startsWith("$") };
}

function unquote(text: string): string {
  const escapes: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r" };
  return text.slice(1, -1).replace(/\\(.)/gs, (_, letter: string) => escapes[letter] ?? letter);
}

function formatParts(parts: readonly Part[], value: JsonValue, root: JsonValue): string {
  return parts
    .map((part) => {
      if (part.kind === "text") return part.text;
      const values = part.path.evaluate(part.fromRoot ? root : value);
      if (part.kind === "range") return values.map((item) => formatParts(part.body, item, root)).join("");
      return values.map(textOf).join(" ");
    })
    .join("");
}

/** Text as it is, everything else as JSON with sorted keys, as Go's encoder writes it. */
function textOf(value: JsonValue): string {
  return typeof value === "string"
    ? value
    : JSON.stringify(value, (_, part: JsonValue) => (isJsonObject(part) ? sorted(part) : part));
}

function sorted(object: Readonly<Record<string, JsonValue>>): Readonly<Record<string, JsonValue>> {
  return Object.fromEntries(Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1)));
}
