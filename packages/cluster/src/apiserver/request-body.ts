import type { JsonValue } from "@kubewright/core/json";
import { ApiFailure, badRequest, type MalformedBody, type RepeatedFields } from "../registry/index.js";
import { duplicateFields } from "./duplicate-fields.js";
import { goJsonError } from "./go-json-error.js";
import { mergeDuplicates } from "./merge-duplicates.js";
import { decodeProtobuf } from "./protobuf-body.js";

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
  /** The same body, read once more. */
  again?(): JsonValue;
  /** Fields that stood twice in one object; the last one won. */
  readonly duplicateFields?: readonly string[];
  /** A body that is an object in JSON or YAML, as it was sent: refusals quote it. */
  readonly sentText?: string;
  /** A patch of JSON, as it was sent. */
  readonly patchText?: string;
  /** Only where fields stood twice. */
  readonly repeated?: RepeatedFields;
  /** Keys that stood twice in YAML, as its reader tells them. */
  readonly duplicateKeys?: readonly string[];
  /** A body that could not be read; who knows what it was for, says so. */
  readonly malformed?: MalformedBody;
}

/** The value of a body by its content type: JSON unless it says YAML. */
export async function parseBody(bytes: Buffer, contentType: string, isPatch: boolean): Promise<ParsedBody> {
  const type = contentType.split(";", 1)[0]?.trim().toLowerCase() ?? "";
  if (!isPatch && !bodyTypes.includes(type) && type !== "")
    return { body: undefined, malformed: { format: "unsupported", text: "", why: "" } };
  if (bytes.length === 0) return { body: undefined };
  // The verb itself refuses a patch type that it does not know, after the resource has been found.
  if (isPatch && !type.endsWith("+json")) return await parseYaml(bytes);
  if (isPatch) return { ...parseJson(bytes), patchText: bytes.toString("utf8") };
  if (type === "" || type === "application/json") {
    const parsed = parseJson(bytes);
    if (parsed.malformed) return parsed;
    const sentText = bytes.toString("utf8");
    const found = duplicateFields(sentText);
    return found.length === 0
      ? { ...parsed, sentText }
      : { ...parsed, sentText, duplicateFields: found, repeated: { merged: mergeDuplicates(sentText) } };
  }
  if (type === "application/yaml") return await parseYaml(bytes);
  return parseProtobuf(bytes);
}

/** The media types of bodies that are objects. */
export const bodyTypes: readonly string[] = [
  "application/json",
  "application/yaml",
  "application/vnd.kubernetes.protobuf",
];

function parseProtobuf(bytes: Buffer): ParsedBody {
  try {
    return { body: decodeProtobuf(bytes) };
  } catch (error) {
    if (!(error instanceof RangeError || error instanceof SyntaxError)) throw error;
    return { body: undefined, malformed: { format: "protobuf", text: bytes.toString("latin1"), why: error.message } };
  }
}

function parseJson(bytes: Buffer): ParsedBody {
  const text = bytes.toString("utf8");
  let body: JsonValue;
  try {
    body = JSON.parse(text);
  } catch {
    return { body: undefined, malformed: { format: "json", text, why: goJsonError(text) ?? "" } };
  }
  checkDepth(body, 0);
  return { body, again: () => JSON.parse(text) };
}

async function parseYaml(bytes: Buffer): Promise<ParsedBody> {
  // Few bodies are YAML, and loading its parser takes longer than the start of a cluster.
  const { readYaml } = await import("./yaml-body.js");
  const text = bytes.toString("utf8");
  const read = readYaml(text);
  if ("why" in read) return { body: undefined, malformed: { format: "yaml", text, why: read.why } };
  const { value: body, duplicateKeys } = read;
  checkDepth(body, 0);
  return { body, sentText: text, ...(duplicateKeys.length === 0 ? {} : { duplicateKeys }) };
}

function checkDepth(value: JsonValue, depth: number): void {
  if (typeof value !== "object" || value === null) return;
  if (depth > maxDepth) throw badRequest(`the body of the request is nested deeper than ${maxDepth}`);
  for (const inner of Object.values(value)) checkDepth(inner, depth + 1);
}
