import type { PolicyRule } from "../authorizer.js";
import { coversUrl, includesOrAll, namesOf } from "./policy-rule.js";

/** The parts of `rules` that `held` do not cover: each with one verb, one resource or URL, and at most one name. */
export function uncoveredRules(held: readonly PolicyRule[], rules: readonly PolicyRule[]): PolicyRule[] {
  return rules.flatMap(partsOf).filter((part) => !held.some((rule) => covers(rule, part)));
}

function partsOf({
  verbs = [],
  apiGroups = [],
  resources = [],
  nonResourceURLs = [],
  ...rest
}: PolicyRule): PolicyRule[] {
  const names = namesOf(rest)?.map((name) => ({ resourceNames: [name] })) ?? [{}];
  return [
    ...apiGroups.flatMap((group) =>
      resources.flatMap((resource) =>
        verbs.flatMap((verb) =>
          names.map((name) => ({ apiGroups: [group], resources: [resource], verbs: [verb], ...name })),
        ),
      ),
    ),
    ...nonResourceURLs.flatMap((url) => verbs.map((verb) => ({ nonResourceURLs: [url], verbs: [verb] }))),
  ];
}

/** Whether a rule covers one part of {@link partsOf}. */
function covers(
  rule: PolicyRule,
  { verbs = [], apiGroups = [], resources = [], nonResourceURLs = [], resourceNames = [] }: PolicyRule,
): boolean {
  const names = namesOf(rule);
  return (
    verbs.every((verb) => includesOrAll(rule.verbs, verb)) &&
    apiGroups.every((group) => includesOrAll(rule.apiGroups, group)) &&
    resources.every((resource) => coversResource(rule.resources ?? [], resource)) &&
    nonResourceURLs.every((url) => (rule.nonResourceURLs ?? []).some((held) => coversUrl(held, url))) &&
    (names === undefined || (resourceNames.length > 0 && resourceNames.every((name) => names.includes(name))))
  );
}

function coversResource(held: readonly string[], resource: string): boolean {
  if (includesOrAll(held, resource)) return true;
  const slash = resource.indexOf("/");
  return slash >= 0 && held.includes(`*${resource.slice(slash)}`);
}
