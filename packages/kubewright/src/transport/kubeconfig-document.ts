import { OperatorError } from "@kubewright/core/errors";
import { isJsonObject, type JsonObject, type JsonValue } from "@kubewright/core/json";

/** The content of one kubeconfig file. */
export interface KubeconfigSource {
  readonly text: string;
  /** Its path: named in errors, and the base of relative paths. */
  readonly file: string;
}

/** A parsed kubeconfig. */
export interface KubeconfigDocument {
  readonly content: JsonObject;
  readonly file: string;
}

const maxBytes = 16 * 1024 * 1024;
const maxDepth = 64;

/** Parses one kubeconfig file. Rejects with CONFIG_INVALID for invalid YAML, a value that is not an object, or duplicate entry names. */
export async function parseKubeconfigDocument({ text, file }: KubeconfigSource): Promise<KubeconfigDocument> {
  const fail = (why: string, cause?: unknown): OperatorError =>
    new OperatorError(
      "CONFIG_INVALID",
      `Cannot read kubeconfig "${file}": ${why}`,
      cause === undefined ? {} : { cause },
    );
  if (text.length > maxBytes) throw fail(`it is longer than ${maxBytes} characters`);
  // As in kubectl, an empty file has no entries.
  if (text.trim() === "") return { content: {}, file };
  const { parse } = await import("./yaml.js");
  let content: unknown;
  try {
    // Kubernetes parses YAML 1.1. Kubeconfigs use only its merge keys.
    content = parse(text, { maxAliasCount: 100, merge: true, logLevel: "error" });
  } catch (cause) {
    throw fail(`it is not YAML: ${cause instanceof Error ? cause.message : String(cause)}`, cause);
  }
  if (!isJsonObject(content)) throw fail("it is not an object");
  if (!isShallow(content, maxDepth)) throw fail(`it is nested deeper than ${maxDepth} levels`);
  for (const list of ["clusters", "users", "contexts"]) {
    const entries = content[list] ?? [];
    if (!Array.isArray(entries)) throw fail(`"${list}" is not a list`);
    const names = new Set<JsonValue | undefined>();
    for (const entry of entries) {
      if (!isJsonObject(entry)) throw fail(`an entry of "${list}" is not an object`);
      if (names.has(entry["name"])) throw fail(`"${list}" has two entries named ${JSON.stringify(entry["name"])}`);
      names.add(entry["name"]);
    }
  }
  return { content, file };
}

function isShallow(value: JsonValue, depth: number): boolean {
  if (typeof value !== "object" || value === null) return true;
  return depth > 0 && Object.values(value).every((part: JsonValue) => isShallow(part, depth - 1));
}
