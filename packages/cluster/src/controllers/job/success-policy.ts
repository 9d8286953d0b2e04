import { countCommon, countIndexes, type IndexSet, parseIndexes } from "./index-set.js";
import type { JobSpecView } from "./job-pods.js";

/** kube-controller-manager's message for the first success policy rule that is met; undefined if none is. */
export function metSuccessPolicy(
  { successPolicy, completions = 0 }: JobSpecView,
  succeeded: IndexSet,
): string | undefined {
  if (succeeded.length === 0) return undefined;
  const index = (successPolicy?.rules ?? []).findIndex(({ succeededIndexes, succeededCount }) => {
    if (succeededIndexes === undefined)
      return succeededCount !== undefined && countIndexes(succeeded) >= succeededCount;
    const required = parseIndexes(succeededIndexes, completions);
    if (required.length === 0) return false;
    const common = countCommon(required, succeeded);
    return common === countIndexes(required) || (succeededCount !== undefined && common >= succeededCount);
  });
  return index < 0 ? undefined : `Matched rules at index ${index}`;
}
