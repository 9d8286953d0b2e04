import type { PodView } from "../pod/index.js";
import type { JobSpecView } from "./job-pods.js";

type Rule = NonNullable<JobSpecView["podFailurePolicy"]>["rules"][number];

/** What a Job makes of a pod that has failed. */
export interface FailureVerdict {
  /** Whether the failure counts. */
  readonly counts: boolean;
  readonly action?: Rule["action"];
  /** Why the whole Job fails by it. */
  readonly failsJob?: string;
}

/** What the first rule that fits says of a pod that has failed. Without one, the failure counts. */
export function judgeFailure({ podFailurePolicy }: JobSpecView, pod: PodView): FailureVerdict {
  for (const [index, rule] of (podFailurePolicy?.rules ?? []).entries()) {
    const what = matched(rule, pod);
    if (what === undefined) continue;
    const { action } = rule;
    if (action === "FailJob")
      return { counts: true, action, failsJob: `${what} matching FailJob rule at index ${index}` };
    return { counts: action !== "Ignore", action };
  }
  return { counts: true };
}

/** What about the pod fits the rule, in Kubernetes' words. */
function matched({ onExitCodes, onPodConditions }: Rule, { metadata, status }: PodView): string | undefined {
  const pod = `${metadata.namespace}/${metadata.name}`;
  if (onExitCodes !== undefined) {
    const { containerName, operator, values } = onExitCodes;
    for (const { name, state } of [...(status?.containerStatuses ?? []), ...(status?.initContainerStatuses ?? [])]) {
      const exitCode = state?.terminated?.exitCode ?? 0;
      if (exitCode === 0 || (containerName !== undefined && containerName !== name)) continue;
      if (values.includes(exitCode) === (operator === "In"))
        return `Container ${name} for pod ${pod} failed with exit code ${exitCode}`;
    }
    return undefined;
  }
  const found = status?.conditions?.find((condition) =>
    onPodConditions?.some(({ type, status: is = "True" }) => type === condition.type && is === condition.status),
  );
  return found && `Pod ${pod} has condition ${found.type}`;
}
