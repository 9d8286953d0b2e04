import { goQuote, type JsonObject, type JsonValue, setOwn } from "@kubewright/core/json";
import { type Document, isCollection, isMap, isPair, isScalar, parseDocument } from "yaml";
import { checkGoYaml } from "./go-yaml-error.js";
import { goYamlScalars } from "./go-yaml-scalars.js";

/** What a text of YAML holds, or why it cannot be read; and the keys that stood twice, as its reader tells them. */
export type YamlBody =
  | { readonly value: JsonValue; readonly duplicateKeys: readonly string[] }
  | { readonly why: string };

const options = {
  schema: "failsafe",
  customTags: goYamlScalars,
  merge: true,
  version: "1.1",
  logLevel: "silent",
} as const;

/** Reads YAML as a real server does: of several documents the first, words as Go takes them. */
export function readYaml(text: string): YamlBody {
  const checked = checkGoYaml(text);
  if ("why" in checked) return { why: `yaml: ${checked.why}` };
  const read = text.slice(0, checked.end);
  const document = parseDocument(read, options);
  const problem = document.errors.find((error) => error.code !== "DUPLICATE_KEY");
  if (problem) return { why: `yaml: ${problem.message.split("\n")[0]}` };
  const misfit = findMisfit(document);
  if (misfit !== undefined) return { why: misfit };
  const duplicateKeys = document.errors.map((error) => {
    const key = /^[^\s:]+|/.exec(text.slice(error.pos[0], error.pos[0] + 200))?.[0] ?? "";
    return `line ${error.linePos?.[0].line ?? 1}: key ${JSON.stringify(key.replace(/^["']|["']$/g, ""))} already set in map`;
  });
  cutLastBreak(document, read);
  let value: JsonValue;
  try {
    value = document.toJS({ maxAliasCount: 100 }) ?? null;
  } catch (error) {
    return { why: `yaml: ${aliasProblem(error)}` };
  }
  const odd = findOddNumber(value);
  // On the way to JSON, Go sorts keys.
  return odd === undefined ? { value: sorted(value), duplicateKeys } : { why: `json: unsupported value: ${odd}` };
}

/** What Go cannot make a value of: a key that is a list or a map, or a word that is not of the type of its tag. */
function findMisfit(document: Pick<Document, "contents">): string | undefined {
  const rest: unknown[] = [document.contents];
  while (rest.length > 0) {
    const node = rest.pop();
    if (isPair(node)) {
      if (isCollection(node.key)) return `yaml: invalid map key: ${goSyntax(node.key)}`;
      if (isScalar(node.key) && node.key.value === null)
        return `unsupported map key of type: %!s(<nil>), key: <nil>, value: ${isEmpty(node.value) ? "<nil>" : goSyntax(node.value)}`;
      rest.push(node.value);
    } else if (isCollection(node)) rest.push(...node.items);
    else if (isScalar(node) && typeof node.value === "string") {
      const [, type] = /^tag:yaml\.org,2002:(int|float|bool|null)$/.exec(node.tag ?? "") ?? [];
      if (type !== undefined) return `yaml: cannot decode !!str \`${node.value}\` as a !!${type}`;
    }
  }
  return undefined;
}

function isEmpty(node: unknown): boolean {
  return node === null || (isScalar(node) && node.value === null);
}

/** A value in the syntax of Go (`%#v`). */
function goSyntax(node: unknown): string {
  if (isCollection(node)) {
    const inner = node.items.map((item: unknown) =>
      isPair(item) ? `${goSyntax(item.key)}:${goSyntax(item.value)}` : goSyntax(item),
    );
    return `${isMap(node) ? "map[interface {}]interface {}" : "[]interface {}"}{${inner.join(", ")}}`;
  }
  const value: unknown = isScalar(node) ? node.value : null;
  return typeof value === "string" ? goQuote(value) : value === null ? "interface {}(nil)" : String(value);
}

/** What is wrong with an alias: only when values are made does it matter. */
function aliasProblem(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const [, name] = /^Unresolved alias .*: (.*)$/.exec(message) ?? [];
  if (name !== undefined) return `unknown anchor '${name}' referenced`;
  if (message.startsWith("Merge sources")) return "map merge requires map or sequence of maps as the value";
  return message.includes("alias count") ? "document contains excessive aliasing" : message;
}

/** A text that ends in the middle of a line gets no line break for it, also where YAML would give it one. */
function cutLastBreak(document: Pick<Document, "contents">, text: string): void {
  if (text.endsWith("\n")) return;
  let node: unknown = document.contents;
  while (isCollection(node)) {
    const last: unknown = node.items.at(-1);
    node = isPair(last) ? last.value : last;
  }
  if (!isScalar(node) || typeof node.value !== "string" || !node.type?.startsWith("BLOCK_")) return;
  if (node.value.endsWith("\n")) node.value = node.value.slice(0, -1);
}

function sorted(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return (value as readonly JsonValue[]).map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const result: Record<string, JsonValue> = {};
  for (const key of Object.keys(value).sort()) setOwn(result, key, sorted((value as JsonObject)[key] ?? null));
  return result;
}

/** A number that JSON has no room for, as Go prints it. */
function findOddNumber(value: JsonValue): string | undefined {
  const rest = [value];
  for (let at = 0; at < rest.length; at++) {
    const one = rest[at] ?? null;
    if (typeof one === "object" && one !== null) rest.push(...(Object.values(one) as JsonValue[]));
    else if (typeof one === "number" && !Number.isFinite(one))
      return Number.isNaN(one) ? "NaN" : one > 0 ? "+Inf" : "-Inf";
  }
  return undefined;
}
