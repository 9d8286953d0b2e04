import { parseJson } from "@kubewright/core/json";
import type { ApiResponse } from "./api-request.js";
import type { JsonCache } from "./json-cache.js";
import { encodeResponse } from "./json-encoding.js";
import { parseAccept, takesJson } from "./negotiation.js";

type WholeResponse = ApiResponse & { readonly kind: "whole" };

/** Whether to encode a JSON response as YAML, because the client prefers it. */
export function isForYaml(response: WholeResponse, accept: string | undefined): boolean {
  const { body, contentType } = response;
  if (contentType !== undefined || typeof body !== "object" || body === null || Buffer.isBuffer(body)) return false;
  const form = parseAccept(accept).find(({ type }) => type === yamlType || takesJson(type));
  return form?.type === yamlType;
}

/** The media type of YAML requests and responses. */
export const yamlType = "application/yaml";

/** Encodes a response as YAML: keys sorted, list items not indented, as in kube-apiserver. */
export async function encodeYaml(response: WholeResponse, cache: JsonCache): Promise<Buffer> {
  // Lazy import: few clients request YAML, and loading it takes longer than starting the server.
  const { stringify } = await import("yaml");
  const value = parseJson(encodeResponse(response, cache).toString("utf8"));
  const text = stringify(value, { sortMapEntries: true, indentSeq: false, lineWidth: 0, version: "1.1" });
  return Buffer.from(text, "utf8");
}
