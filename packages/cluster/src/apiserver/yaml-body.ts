import type { JsonValue } from "@kubewright/core/json";
import { type Document, isCollection, isPair, isScalar, parseAllDocuments, parseDocument } from "yaml";
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
  const [first] = parseAllDocuments(text, options);
  const document = first ?? parseDocument(text, options);
  const problem = document.errors.find((error) => error.code !== "DUPLICATE_KEY");
  if (problem) return { why: `yaml: ${problem.message.split("\n")[0]}` };
  const duplicateKeys = document.errors.map((error) => {
    const key = /^[^\s:]+|/.exec(text.slice(error.pos[0], error.pos[0] + 200))?.[0] ?? "";
    return `line ${error.linePos?.[0].line ?? 1}: key ${JSON.stringify(key.replace(/^["']|["']$/g, ""))} already set in map`;
  });
  cutLastBreak(document, text);
  let value: JsonValue;
  try {
    value = document.toJS({ maxAliasCount: 100 }) ?? null;
  } catch (error) {
    return { why: `yaml: ${aliasProblem(error)}` };
  }
  const odd = findOddNumber(value);
  return odd === undefined ? { value, duplicateKeys } : { why: `json: unsupported value: ${odd}` };
}

/** What is wrong with an alias: only when values are made does it matter. */
function aliasProblem(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const [, name] = /^Unresolved alias .*: (.*)$/.exec(message) ?? [];
  if (name !== undefined) return `unknown anchor '${name}' referenced`;
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
