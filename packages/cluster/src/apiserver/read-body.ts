import type { Readable } from "node:stream";
import { goQuote, type JsonValue, parseJson } from "@kubewright/core/json";
import { ApiFailure, emptyBody, type MalformedBody, type RequestBody } from "../registry/index.js";
import { clientGone } from "./client-connection.js";
import { documentFields, duplicateFields } from "./duplicate-fields.js";
import { decodeProtobuf } from "./protobuf-body.js";

/** The largest body that is read. */
const bodyLimitBytes = 3 * 1024 * 1024;

/** Maximum nesting depth of a body: deeper than any schema, but within the stack. */
const maxDepth = 1_000;

/** The supported media types of object bodies. */
export const bodyTypes: readonly string[] = [
  "application/json",
  "application/yaml",
  "application/vnd.kubernetes.protobuf",
];

/** Reads a body up to the limit; rejects with a 413 beyond it. Listens instead of iterating, which costs a tenth of a small write. */
export function readBytes(body: Readable): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    body.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size <= bodyLimitBytes) chunks.push(chunk);
      else {
        body.pause();
        reject(new ApiFailure(413, "RequestEntityTooLarge", `Request entity too large: limit is ${bodyLimitBytes}`));
      }
    });
    body.on("end", () => resolve(chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks)));
    body.on("error", reject);
    body.on("close", () => reject(clientGone));
  });
}

/** Parses a body by its content type. Never throws: the verb rejects a malformed body once it has found the resource. */
export async function readBody(bytes: Buffer, contentType: string, isPatch: boolean): Promise<RequestBody> {
  const type = contentType.split(";", 1)[0]?.trim().toLowerCase() ?? "";
  if (!isPatch && type !== "" && !bodyTypes.includes(type)) return malformed(bytes, "unsupported", "");
  if (bytes.length === 0) return emptyBody;
  if (type === "application/vnd.kubernetes.protobuf") return readProtobuf(bytes);
  const isYaml = isPatch ? !type.endsWith("+json") : type === "application/yaml";
  return isYaml ? await readYamlBody(bytes) : readJson(bytes);
}

function readJson(bytes: Buffer): RequestBody {
  const text = bytes.toString("utf8");
  let value: JsonValue;
  try {
    value = parseJson(text);
  } catch (error) {
    return malformed(bytes, "json", messageOf(error));
  }
  if (isTooDeep(value)) return malformed(bytes, "json", tooDeep);
  const duplicates = duplicateFields(text).map((field) => `duplicate field ${goQuote(field)}`);
  return { value, text: () => text, duplicates, fields: () => documentFields(text) };
}

/** Tries JSON first: most clients send JSON under the YAML media type, and the YAML parser is slow and takes long to load. */
async function readYamlBody(bytes: Buffer): Promise<RequestBody> {
  const json = readJson(bytes);
  const isJson = json.malformed === undefined || json.malformed.message === tooDeep;
  if (isJson && json.duplicates.length === 0) return json;
  const { readYaml } = await import("./read-yaml.js");
  const text = bytes.toString("utf8");
  try {
    const { value, duplicates } = readYaml(text);
    return isTooDeep(value) ? malformed(bytes, "yaml", tooDeep) : { value, text: () => text, duplicates };
  } catch (error) {
    return malformed(bytes, "yaml", messageOf(error));
  }
}

function readProtobuf(bytes: Buffer): RequestBody {
  try {
    return { value: decodeProtobuf(bytes), text: () => bytes.toString("latin1"), duplicates: [] };
  } catch (error) {
    if (!(error instanceof RangeError || error instanceof SyntaxError)) throw error;
    return malformed(bytes, "protobuf", error.message);
  }
}

function malformed(bytes: Buffer, format: MalformedBody["format"], message: string): RequestBody {
  const encoding = format === "protobuf" ? "latin1" : "utf8";
  return { ...emptyBody, text: () => bytes.toString(encoding), malformed: { format, message } };
}

const tooDeep = `nested deeper than ${maxDepth}`;

function isTooDeep(value: JsonValue, depth = 0): boolean {
  if (typeof value !== "object" || value === null) return false;
  return depth > maxDepth || Object.values(value).some((inner) => isTooDeep(inner, depth + 1));
}

/** A RangeError is a stack overflow: the parsers recurse. */
function messageOf(error: unknown): string {
  if (error instanceof RangeError) return tooDeep;
  return error instanceof Error ? error.message : String(error);
}
