import { setOwn } from "@kubewright/core/json";
import type { ApiRequest } from "./api-request.js";

/**
 * The options of a request's query, as Go reads them: what cannot be read is left out. Of an option that stands several times the first
 * counts, but for those of a dry run, which all do.
 */
export function parseQuery(text: string): Required<Pick<ApiRequest, "query" | "dryRun">> {
  const query: Record<string, string> = {};
  const dryRun: string[] = [];
  if (text === "") return { query, dryRun };
  for (const pair of text.split("&")) {
    if (pair === "" || pair.includes(";")) continue;
    const equals = pair.indexOf("=");
    const key = unescaped(equals < 0 ? pair : pair.slice(0, equals));
    const value = unescaped(equals < 0 ? "" : pair.slice(equals + 1));
    if (key === undefined || value === undefined) continue;
    if (key === "dryRun") dryRun.push(value);
    if (!Object.hasOwn(query, key)) setOwn(query, key, value);
  }
  return { query, dryRun };
}

function unescaped(text: string): string | undefined {
  if (!text.includes("%") && !text.includes("+")) return text;
  if (/%(?![0-9a-f]{2})/i.test(text)) return undefined;
  // Bytes that are no UTF-8 stay in the text as Go shows them.
  return Buffer.from(bytesOf(text.replaceAll("+", " ")), "latin1").toString("utf8");
}

/** The bytes of a text whose escapes are undone, one for each character. */
function bytesOf(text: string): string {
  return Buffer.from(text, "utf8")
    .toString("latin1")
    .replace(/%([0-9a-f]{2})/gi, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)));
}

/** What a request says about a dry run, as it is; empty for nothing. */
export function dryRunOf({ query, dryRun }: ApiRequest): readonly string[] {
  return dryRun ?? (query["dryRun"] === undefined ? [] : [query["dryRun"]]);
}
