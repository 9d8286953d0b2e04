import type { ApiRequest } from "./api-request.js";

/** The options of a request's query: of one that stands several times the first counts, but for those of a dry run, which all do. */
export function parseQuery(options: URLSearchParams): Required<Pick<ApiRequest, "query" | "dryRun">> {
  return { query: Object.fromEntries([...options].reverse()), dryRun: options.getAll("dryRun") };
}

/** What a request says about a dry run, as it is; empty for nothing. */
export function dryRunOf({ query, dryRun }: ApiRequest): readonly string[] {
  return dryRun ?? (query["dryRun"] === undefined ? [] : [query["dryRun"]]);
}
