import { type AdmissionRequest, namespacesBucket, type Resource } from "../../registry/index.js";
import type { MatchRule } from "./match-criteria.js";

/** Whether a rule matches a request for `resource`, which may be an equivalent of the requested one. */
export function matchesRule(rule: MatchRule, request: AdmissionRequest, resource: Resource): boolean {
  return (
    matchesScope(rule.scope, request) &&
    includes(rule.operations, request.operation) &&
    includes(rule.apiGroups, resource.group) &&
    includes(rule.apiVersions, resource.version) &&
    matchesResource(rule.resources, resource.plural, request.subresource)
  );
}

/** Whether the rule names the object, or no object at all. */
export function matchesName({ resourceNames = [] }: MatchRule, name: string): boolean {
  return resourceNames.length === 0 || resourceNames.includes(name);
}

function includes(values: readonly string[] = [], requested: string): boolean {
  return values.includes("*") || values.includes(requested);
}

function matchesScope(scope = "*", { resource, namespace }: AdmissionRequest): boolean {
  if (scope === "*") return true;
  const isNamespaced = resource.bucket !== namespacesBucket && namespace !== "";
  return isNamespaced === (scope === "Namespaced");
}

/** `pods` matches only the resource itself, `pods/*` also its subresources: as in kube-apiserver, with an empty one. */
function matchesResource(resources: readonly string[] = [], plural: string, subresource: string): boolean {
  return resources.some((one) => {
    const slash = one.indexOf("/");
    const [name, part] = slash < 0 ? [one, ""] : [one.slice(0, slash), one.slice(slash + 1)];
    return (name === "*" || name === plural) && (part === "*" || part === subresource);
  });
}
