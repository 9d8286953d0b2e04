import { setOwn } from "@kubewright/core/json";
import type { ApiRequest } from "./api-request.js";

/**
 * Parses a query string as Go does: malformed parameters are skipped. The first value of a repeated parameter counts, except that all values
 * of `dryRun` do.
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
  // Invalid UTF-8 becomes U+FFFD, as in Go.
  return Buffer.from(bytesOf(text.replaceAll("+", " ")), "latin1").toString("utf8");
}

/** The unescaped bytes of a string, one character per byte. */
function bytesOf(text: string): string {
  return Buffer.from(text, "utf8")
    .toString("latin1")
    .replace(/%([0-9a-f]{2})/gi, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)));
}

/** The `dryRun` values of a request, not validated; empty for none. */
export function dryRunOf({ query, dryRun }: ApiRequest): readonly string[] {
  return dryRun ?? (query["dryRun"] === undefined ? [] : [query["dryRun"]]);
}
