import type { Resource } from "../../registry/index.js";
import type { MatchContext } from "./match-context.js";
import type { MatchCriteria } from "./match-criteria.js";

/** Whether requests for a resource or its subresources may match: independent of a request, so that the result can be kept. */
export function concerns(
  { rules, isEquivalent }: MatchCriteria,
  resource: Resource,
  { equivalents }: MatchContext,
): boolean {
  if (rules === undefined) return true;
  const candidates = isEquivalent ? equivalents(resource) : [resource];
  const has = (values: readonly string[] = [], value: string): boolean =>
    values.includes("*") || values.includes(value);
  return rules.some(({ apiGroups, apiVersions, resources = [] }) =>
    candidates.some(
      ({ group, version, plural }) =>
        has(apiGroups, group) &&
        has(apiVersions, version) &&
        resources.some((one) => ["*", plural].includes(one.split("/", 1)[0] ?? "")),
    ),
  );
}
