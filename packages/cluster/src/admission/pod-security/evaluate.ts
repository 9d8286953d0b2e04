import { baselineChecks } from "./baseline-checks.js";
import type { Check, CheckedPod, Violation } from "./check.js";
import type { LevelVersion } from "./policy.js";
import { restrictedChecks } from "./restricted-checks.js";

/** The violations of a level by a pod, those of baseline checks first. */
export function violationsOf(pod: CheckedPod, { level, version }: LevelVersion): readonly Violation[] {
  if (level === "privileged") return [];
  const minor = version === "latest" ? Number.POSITIVE_INFINITY : Number(version.slice("v1.".length));
  if (level === "baseline") return run(baselineChecks, pod, minor);
  const overridden = restrictedChecks
    .filter((check) => versionOf(check, minor) !== undefined)
    .map((one) => one.overrides);
  const baseline = baselineChecks.filter(({ id }) => !overridden.includes(id));
  return run([...baseline, ...restrictedChecks], pod, minor);
}

/** The reasons with their details: `host namespaces (hostPID=true), privileged (…)`. */
export function detailText(violations: readonly Violation[]): string {
  return violations.map(({ reason, detail }) => `${reason} (${detail})`).join(", ");
}

/** The reasons only, for lists of pods. */
export function reasonText(violations: readonly Violation[]): string {
  return violations.map(({ reason }) => reason).join(", ");
}

function run(checks: readonly Check[], pod: CheckedPod, minor: number): readonly Violation[] {
  return checks.map((check) => versionOf(check, minor)?.(pod)).filter((violation) => violation !== undefined);
}

/** The check in a version; undefined if it did not exist yet. */
function versionOf({ versions }: Check, minor: number): Check["versions"][number][1] | undefined {
  return versions.findLast(([from]) => from <= minor)?.[1];
}
