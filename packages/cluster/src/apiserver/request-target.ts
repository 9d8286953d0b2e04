import type { ApiRequest } from "./api-request.js";
import { parseQuery } from "./request-query.js";

/** Path and query of a request line. */
export type RequestTarget = Pick<ApiRequest, "path"> & Required<Pick<ApiRequest, "query" | "dryRun" | "search">>;

/**
 * Parses a request target as Go does: the path is not normalised (`..` stays), and malformed query parameters are skipped.
 *
 * Undefined for a malformed target.
 */
export function parseTarget(target: string): RequestTarget | undefined {
  const local = target.startsWith("/") ? target : withoutOrigin(target);
  if (local === undefined) return undefined;
  const mark = local.indexOf("?");
  const path = mark < 0 ? local : local.slice(0, mark);
  if (hasBadEscape(path)) return undefined;
  const search = mark < 0 ? "" : local.slice(mark + 1);
  return { path, search, ...parseQuery(search) };
}

/** Proxies send absolute URLs. */
function withoutOrigin(target: string): string | undefined {
  const [, rest] = /^[a-z]+:\/\/[^/?]*(.*)$/i.exec(target) ?? [];
  return rest === undefined || rest.startsWith("/") ? rest : `/${rest}`;
}

function hasBadEscape(path: string): boolean {
  return path.includes("%") && /%(?![0-9a-f]{2})/i.test(path);
}
