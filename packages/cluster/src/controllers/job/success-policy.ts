import { countCommon, countIndexes, type IndexSet, parseIndexes } from "./index-set.js";
import type { JobSpecView } from "./job-pods.js";

/** Which rule of the Job's policy says that enough indexes have succeeded, in Kubernetes' words; undefined where none does. */
export function metSuccessPolicy({ successPolicy, completions = 0 }: JobSpecView, done: IndexSet): string | undefined {
  if (done.length === 0) return undefined;
  const index = (successPolicy?.rules ?? []).findIndex(({ succeededIndexes, succeededCount }) => {
    if (succeededIndexes === undefined) return succeededCount !== undefined && countIndexes(done) >= succeededCount;
    const wanted = parseIndexes(succeededIndexes, completions);
    if (wanted.length === 0) return false;
    const common = countCommon(wanted, done);
    return common === countIndexes(wanted) || (succeededCount !== undefined && common >= succeededCount);
  });
  return index < 0 ? undefined : `Matched rules at index ${index}`;
}
