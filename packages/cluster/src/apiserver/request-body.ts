import type { JsonValue } from "@kubewright/core/json";
import { ApiFailure, badRequest, unsupportedMediaType } from "../registry/index.js";
import { duplicateFields } from "./duplicate-fields.js";

/** The largest body that is read. */
const bodyLimitBytes = 3 * 1024 * 1024;

/** How deep a body may be nested: more than any schema, less than a stack. */
const maxDepth = 1_000;

/** Reads a body up to the limit; throws a 413 beyond it. */
export async function readBytes(body: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > bodyLimitBytes)
      throw new ApiFailure(413, "RequestEntityTooLarge", `Request entity too large: limit is ${bodyLimitBytes}`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** A body that was read. */
export interface ParsedBody {
  /** Undefined for an empty body. */
  readonly body: JsonValue | undefined;
  /** Fields that stood twice in one object; the last one won. */
  readonly duplicateFields?: readonly string[];
}

/** The value of a body by its content type: JSON unless it says YAML. */
export async function parseBody(bytes: Buffer, contentType: string, isPatch: boolean): Promise<ParsedBody> {
  if (bytes.length === 0) return { body: undefined };
  const type = contentType.split(";", 1)[0]?.trim().toLowerCase() ?? "";
  // The verb itself refuses a patch type that it does not know, after the resource has been found.
  if (isPatch) return { body: type.endsWith("+json") ? parseJson(bytes) : await parseYaml(bytes) };
  if (type === "" || type === "application/json")
    return { body: parseJson(bytes), duplicateFields: duplicateFields(bytes.toString("utf8")) };
  if (type === "application/yaml") return { body: await parseYaml(bytes) };
  throw unsupportedMediaType(["application/json", "application/yaml"]);
}

function parseJson(bytes: Buffer): JsonValue {
  const text = bytes.toString("utf8");
  let value: JsonValue;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw badRequest(
      `the object provided is unrecognized: couldn't get version/kind; json parse error: ${error instanceof Error ? error.message : String(error)} (${text.slice(0, 40)})`,
    );
  }
  checkDepth(value, 0);
  return value;
}

async function parseYaml(bytes: Buffer): Promise<JsonValue> {
  // Few bodies are YAML, and loading its parser takes longer than the start of a cluster.
  const { parseDocument } = await import("yaml");
  const document = parseDocument(bytes.toString("utf8"), {
    schema: "core",
    version: "1.2",
    maxAliasCount: 100,
  } as object);
  const [problem] = document.errors;
  if (problem) throw badRequest(`error converting YAML to JSON: yaml: ${problem.message}`);
  const value: JsonValue = document.toJS({ maxAliasCount: 100 }) ?? null;
  checkDepth(value, 0);
  return value;
}

function checkDepth(value: JsonValue, depth: number): void {
  if (typeof value !== "object" || value === null) return;
  if (depth > maxDepth) throw badRequest(`the body of the request is nested deeper than ${maxDepth}`);
  for (const inner of Object.values(value)) checkDepth(inner, depth + 1);
}
