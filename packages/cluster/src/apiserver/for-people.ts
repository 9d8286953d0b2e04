import type { Http2ServerRequest } from "node:http2";

const readers = ["curl", "Wget", "Mozilla/5.0"];
const yes = ["1", "t", "T", "TRUE", "true", "True"];

/** Whether JSON is indented in the answer: `pretty` decides, else programs that show people what they get. Schemas never are. */
export function isForPeople({ url, headers }: Pick<Http2ServerRequest, "url" | "headers">): boolean {
  if (url.startsWith("/openapi")) return false;
  const asked = url.includes("pretty") ? new URL(url, "https://localhost").searchParams.get("pretty") : "";
  if (asked !== null && asked !== "") return yes.includes(asked);
  const agent = headers["user-agent"] ?? "";
  return readers.some((reader) => agent.startsWith(reader));
}
