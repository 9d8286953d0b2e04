import type { Http2ServerRequest } from "node:http2";
import { parseTarget } from "./request-target.js";

const readers = ["curl", "Wget", "Mozilla/5.0"];
const yes = ["1", "t", "T", "TRUE", "true", "True"];

/** Whether to pretty-print the JSON of a response: by `pretty`, else for curl, Wget and browsers. Never for OpenAPI documents. */
export function isPretty({ url, headers }: Pick<Http2ServerRequest, "url" | "headers">): boolean {
  if (url.startsWith("/openapi")) return false;
  const requested = url.includes("pretty") ? parseTarget(url)?.query["pretty"] : "";
  if (requested !== undefined && requested !== "") return yes.includes(requested);
  if (/;\s*pretty=1\b/.test(headers["accept"] ?? "")) return true;
  const agent = headers["user-agent"] ?? "";
  return readers.some((reader) => agent.startsWith(reader));
}
