import type { JsonObject } from "@kubewright/core/json";
import { isJsonObject } from "@kubewright/core/json";
import { jsonText } from "../storage/index.js";
import type { ApiAnswer } from "./api-request.js";

type WholeAnswer = ApiAnswer & { readonly kind: "whole" };

/** The bytes of a whole answer. What is stored is not written out anew: its text is kept. */
export function encodeAnswer(answer: WholeAnswer): Buffer {
  const { body } = answer;
  if (body === undefined) return Buffer.alloc(0);
  if (Buffer.isBuffer(body)) return body;
  if (typeof body === "string") return Buffer.from(body, "utf8");
  if (answer.indented === true) return Buffer.from(indentedText(body, answer.bareItems === true), "utf8");
  return Buffer.from(`${encodeBody(body, answer.bareItems === true)}\n`, "utf8");
}

/** For people to read; without a line's end, as a real server leaves it. */
function indentedText(body: unknown, bareItems: boolean): string {
  return JSON.stringify(bareItems ? JSON.parse(encodeBody(body, true)) : body, undefined, 2);
}

function encodeBody(body: unknown, bareItems: boolean): string {
  if (typeof body !== "object" || body === null || Array.isArray(body)) return JSON.stringify(body);
  const { items, ...rest } = body as { readonly items?: unknown };
  if (!Array.isArray(items) || "spec" in rest) return jsonText(body as JsonObject);
  const texts = items.map((item: unknown) => {
    if (!isJsonObject(item)) return JSON.stringify(item);
    return bareItems ? bareText(item) : jsonText(item);
  });
  const head = JSON.stringify(rest);
  return `${head.slice(0, -1)}${head === "{}" ? "" : ","}"items":[${texts.join(",")}]}`;
}

/** The text of an object without its kind, which lists of built-in kinds leave to the list. */
function bareText(item: JsonObject): string {
  const text = jsonText(item);
  // They come first in most objects, and cutting is much cheaper than writing.
  const kind = `"kind":${JSON.stringify(item["kind"])}`;
  const version = `"apiVersion":${JSON.stringify(item["apiVersion"])}`;
  for (const start of [`{${version},${kind},`, `{${kind},${version},`])
    if (text.startsWith(start)) return `{${text.slice(start.length)}`;
  const { apiVersion: _, kind: __, ...bare } = item;
  return JSON.stringify(bare);
}

/** Lines of events that were written lately, for other watchers of the same objects. */
const lines = new Map<unknown, { readonly type: string; readonly line: Buffer }>();
const maxLines = 512;

/** The line of a watch event. Many watchers are told of one change: its line is made once. */
export function encodeEvent(event: unknown): Buffer {
  if (!isJsonObject(event)) return Buffer.from(`${JSON.stringify(event)}\n`, "utf8");
  const { type, object } = event;
  if (typeof type !== "string" || !isJsonObject(object)) return Buffer.from(`${JSON.stringify(event)}\n`, "utf8");
  const known = lines.get(object);
  if (known?.type === type) return known.line;
  const line = Buffer.from(`{"type":${JSON.stringify(type)},"object":${jsonText(object)}}\n`, "utf8");
  if (Object.isFrozen(object) && line.length < 65_536) {
    if (lines.size >= maxLines) lines.delete(lines.keys().next().value);
    lines.set(object, { type, line });
  }
  return line;
}
