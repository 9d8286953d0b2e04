import type { PolicyRule, ResourceAttributes } from "../authorizer.js";

const all = "*";

/** Whether a rule allows a request for a resource, if its name is among the rule's resourceNames. */
export function matchesResource(
  { verbs, apiGroups, resources = [] }: PolicyRule,
  { verb, group, resource, subresource }: ResourceAttributes,
): boolean {
  if (!includesOrAll(verbs, verb) || !includesOrAll(apiGroups, group)) return false;
  const requested = subresource === "" ? resource : `${resource}/${subresource}`;
  return resources.some(
    (one) => one === all || one === requested || (subresource !== "" && one === `${all}/${subresource}`),
  );
}

/** The names that a rule is restricted to; undefined for all names. */
export function namesOf({ resourceNames }: PolicyRule): readonly string[] | undefined {
  return resourceNames === undefined || resourceNames.length === 0 ? undefined : resourceNames;
}

/** Whether a rule allows a request for a non-resource URL. */
export function matchesPath({ verbs, nonResourceURLs = [] }: PolicyRule, verb: string, path: string): boolean {
  return includesOrAll(verbs, verb) && nonResourceURLs.some((url) => coversUrl(url, path));
}

/** Whether a URL of a rule, which may end with `*`, covers another one. */
export function coversUrl(url: string, covered: string): boolean {
  return url === covered || (url.endsWith(all) && covered.startsWith(url.replace(/\*+$/, "")));
}

/** Whether a list of a rule includes a value or `*`. */
export function includesOrAll(values: readonly string[] | undefined, value: string): boolean {
  return values !== undefined && (values.includes(all) || values.includes(value));
}
