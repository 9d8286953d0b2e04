import type { JsonObject } from "@kubewright/core/json";
import { isJsonObject } from "@kubewright/core/json";
import type { ApiAnswer } from "./api-request.js";
import type { JsonTexts } from "./json-texts.js";

type WholeAnswer = ApiAnswer & { readonly kind: "whole" };

/** The bytes of a whole response. `texts` provides the JSON of stored objects. */
export function encodeAnswer(answer: WholeAnswer, texts: JsonTexts): Buffer {
  const { body } = answer;
  if (body === undefined) return Buffer.alloc(0);
  if (Buffer.isBuffer(body)) return body;
  if (typeof body === "string") return Buffer.from(body, "utf8");
  const text = encodeBody(body, texts, answer.bareItems === true);
  // An indented response has no newline at its end, as on a real server.
  return Buffer.from(answer.indented === true ? JSON.stringify(JSON.parse(text), undefined, 2) : `${text}\n`, "utf8");
}

function encodeBody(body: unknown, texts: JsonTexts, bareItems: boolean): string {
  if (typeof body !== "object" || body === null || Array.isArray(body)) return JSON.stringify(body);
  const { items, ...rest } = body as { readonly items?: unknown };
  if (!Array.isArray(items) || "spec" in rest) return texts.of(body as JsonObject);
  const encoded = items.map((item: unknown) => {
    if (!isJsonObject(item)) return JSON.stringify(item);
    return bareItems ? bareText(item, texts) : texts.of(item);
  });
  const head = JSON.stringify(rest);
  return `${head.slice(0, -1)}${head === "{}" ? "" : ","}"items":[${encoded.join(",")}]}`;
}

/** The JSON of an object without `apiVersion` and `kind`: in lists of built-in kinds only the list has them. */
function bareText(item: JsonObject, texts: JsonTexts): string {
  const text = texts.of(item);
  // They are the first fields of most objects, and a slice is much cheaper than a new string.
  const kind = `"kind":${JSON.stringify(item["kind"])}`;
  const version = `"apiVersion":${JSON.stringify(item["apiVersion"])}`;
  for (const start of [`{${version},${kind},`, `{${kind},${version},`])
    if (text.startsWith(start)) return `{${text.slice(start.length)}`;
  const { apiVersion: _, kind: __, ...bare } = item;
  return JSON.stringify(bare);
}
