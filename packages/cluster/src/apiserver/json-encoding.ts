import type { JsonObject } from "@kubewright/core/json";
import { isJsonObject, parseJson, stringifyJson } from "@kubewright/core/json";
import type { ApiResponse } from "./api-request.js";
import type { JsonCache } from "./json-cache.js";

type WholeResponse = ApiResponse & { readonly kind: "whole" };

/** Encodes a complete response. `cache` provides the JSON of stored objects. */
export function encodeResponse(response: WholeResponse, cache: JsonCache): Buffer {
  const { body } = response;
  if (body === undefined) return Buffer.alloc(0);
  if (Buffer.isBuffer(body)) return body;
  if (typeof body === "string") return Buffer.from(body, "utf8");
  const text = encodeBody(body, cache, response.bareItems === true);
  // As in kube-apiserver, pretty-printed JSON has no trailing newline.
  return Buffer.from(response.indented === true ? stringifyJson(parseJson(text), 2) : `${text}\n`, "utf8");
}

function encodeBody(body: unknown, cache: JsonCache, bareItems: boolean): string {
  if (typeof body !== "object" || body === null || Array.isArray(body)) return stringifyJson(body);
  if (!("items" in body) || !Array.isArray(body.items) || "spec" in body) return cache.of(body as JsonObject);
  const { items, ...rest } = body;
  const encoded = items.map((item: unknown) => {
    if (!isJsonObject(item)) return stringifyJson(item);
    return bareItems ? bareText(item, cache) : cache.of(item);
  });
  const head = stringifyJson(rest);
  return `${head.slice(0, -1)}${head === "{}" ? "" : ","}"items":[${encoded.join(",")}]}`;
}

/** The JSON of an object without `apiVersion` and `kind`, which items in lists of built-in kinds lack. */
function bareText(item: JsonObject, cache: JsonCache): string {
  const text = cache.of(item);
  // They are the first fields of most objects, and a slice is much cheaper than encoding again.
  const kind = `"kind":${JSON.stringify(item["kind"])}`;
  const version = `"apiVersion":${JSON.stringify(item["apiVersion"])}`;
  for (const start of [`{${version},${kind},`, `{${kind},${version},`])
    if (text.startsWith(start)) return `{${text.slice(start.length)}`;
  const { apiVersion: _, kind: __, ...bare } = item;
  return stringifyJson(bare);
}
