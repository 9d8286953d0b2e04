import type { JsonObject } from "@kubewright/core/json";
import { listAt, metadataOf, objectAt, textAt } from "../../registry/index.js";
import type { Store } from "../../storage/index.js";
import { checkedPod } from "./check.js";
import { reasonText, violationsOf } from "./evaluate.js";
import { type LevelVersion, levelText } from "./policy.js";

/** Pods that are checked when a namespace changes its level. */
const maxPods = 3_000;

/** The warnings about the pods of a namespace that violate its new level, by their violations. */
export function existingPodWarnings(namespace: string, enforce: LevelVersion, store: Store): readonly string[] {
  const pods = prioritized(
    store
      .bucket("pods")
      .list(`${namespace}/`)
      .map(({ object }) => object),
  );
  const names = new Map<string, string[]>();
  for (const pod of pods.slice(0, maxPods)) {
    const violations = violationsOf(checkedPod(metadataOf(pod), objectAt(pod, "spec")), enforce);
    if (violations.length === 0) continue;
    const reasons = reasonText(violations);
    names.set(reasons, [...(names.get(reasons) ?? []), textAt(metadataOf(pod), "name")].sort());
  }
  const warnings: string[] = [];
  if (pods.length > maxPods)
    warnings.push(
      `new PodSecurity enforce level only checked against the first ${maxPods} of ${pods.length} existing pods`,
    );
  if (names.size === 0) return warnings;
  warnings.push(
    `existing pods in namespace "${namespace}" violate the new PodSecurity enforce level "${levelText(enforce)}"`,
  );
  const details = [...names].map(
    ([reasons, [first = "", ...others]]) => `${first}${andOthers(others.length)}: ${reasons}`,
  );
  return [...warnings, ...details.sort()];
}

function andOthers(count: number): string {
  return count === 0 ? "" : ` (and ${count} other ${count === 1 ? "pod" : "pods"})`;
}

/** One pod of each controller before the others. */
function prioritized(pods: readonly JsonObject[]): readonly JsonObject[] {
  const seen = new Set<string>();
  const isFirst = (pod: JsonObject): boolean => {
    const owners = listAt(metadataOf(pod), "ownerReferences") as readonly JsonObject[];
    const uid = textAt(owners.find((owner) => owner["controller"] === true) ?? {}, "uid");
    if (uid === "" || !seen.has(uid)) {
      seen.add(uid);
      return true;
    }
    return false;
  };
  const first = pods.filter(isFirst);
  const chosen = new Set(first);
  return [...first, ...pods.filter((pod) => !chosen.has(pod))];
}
