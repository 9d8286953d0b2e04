import type { PodView } from "../pod/index.js";
import type { JobSpecView } from "./job-pods.js";

type Rule = NonNullable<JobSpecView["podFailurePolicy"]>["rules"][number];

/** The outcome of the Pod failure policy for a failed Pod. */
export interface PodFailureMatch {
  /** Whether the failure counts toward backoffLimit. */
  readonly counts: boolean;
  readonly action?: Rule["action"];
  /** The message, if a FailJob rule matched. */
  readonly failsJob?: string;
}

/** Applies the first matching rule of the Pod failure policy. Without a match the failure counts. */
export function matchPodFailurePolicy({ podFailurePolicy }: JobSpecView, pod: PodView): PodFailureMatch {
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

/** kube-controller-manager's description of the match; undefined if the rule does not match. */
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
