import type { ApiAnswer } from "./api-request.js";
import { encodeAnswer } from "./json-encoding.js";
import type { JsonTexts } from "./json-texts.js";
import { parseAccept, takesJson } from "./negotiation.js";

type WholeAnswer = ApiAnswer & { readonly kind: "whole" };

/** Whether an answer of JSON is to be written as YAML, for a client that prefers it. */
export function isForYaml(answer: WholeAnswer, accept: string | undefined): boolean {
  const { body, contentType } = answer;
  if (contentType !== undefined || typeof body !== "object" || body === null || Buffer.isBuffer(body)) return false;
  const form = parseAccept(accept).find(({ type }) => type === yamlType || takesJson(type));
  return form?.type === yamlType;
}

/** What clients ask for, and what answers are then called. */
export const yamlType = "application/yaml";

/** The response as YAML: fields sorted by name, and list items not indented, as from a real server. */
export async function encodeYaml(answer: WholeAnswer, texts: JsonTexts): Promise<Buffer> {
  // Few clients request it, and it takes longer to load than the server to start.
  const { stringify } = await import("yaml");
  const value: unknown = JSON.parse(encodeAnswer(answer, texts).toString("utf8"));
  const text = stringify(value, { sortMapEntries: true, indentSeq: false, lineWidth: 0, version: "1.1" });
  return Buffer.from(text, "utf8");
}
