import type { PolicyRule } from "kubewright/permissions";
import type { Denial } from "./denial.js";

/** The operator whose request was denied. */
export interface DeniedOperator {
  readonly name: string;
  /** The rules that its declarations need. */
  readonly derived: readonly PolicyRule[];
}

/** The verbs of `may` for subresources. */
const actions: Readonly<Record<string, string>> = {
  "patch status": "patchStatus",
  "create eviction": "evict",
  "create binding": "bind",
  "get scale": "scale",
  "patch scale": "scale",
  "get log": "log",
  "create token": "token",
};

const verbsOfMay = ["get", "list", "create", "update", "patch", "delete", "bind", "escalate"];

/** Explains a denial: the request, why its role does not allow it, and the line that would. `kind` is the kind of the resource, if known. */
export function describeDenial(denial: Denial, { name, derived }: DeniedOperator, kind: string | undefined): string {
  const { verb, group, resource, namespace, fieldManager, method, path } = denial;
  const what = resource === "" ? path : `${resource}${group === "" ? "" : `.${group}`}`;
  const where = resource === "" ? "" : namespace === "" ? " at the cluster scope" : ` in the namespace "${namespace}"`;
  const who = fieldManager === "" ? "" : `, sent by "${fieldManager}"`;
  return [
    `Operator "${name}" has no permission to ${verb} ${what}${where}`,
    `  request: ${method} ${path}${who}`,
    `  response: 403 ${denial.message}`,
    isDerived(denial, derived)
      ? `  its declarations need this permission, but its role does not have it; add the rule: ${ruleOf(denial)}`
      : `  no declaration of its controllers grants it; add: ${declarationOf(denial, kind)}`,
  ].join("\n");
}

function isDerived({ verb, group, resource }: Denial, rules: readonly PolicyRule[]): boolean {
  const has = (values: readonly string[], value: string): boolean => values.includes("*") || values.includes(value);
  return rules.some(
    ({ verbs, apiGroups, resources }) => has(verbs, verb) && has(apiGroups, group) && has(resources, resource),
  );
}

/** The line that declares the permission. */
function declarationOf(denial: Denial, kind: string | undefined): string {
  const { verb, resource } = denial;
  const [, subresource] = resource.split("/");
  const rule = `operator({ rules: [${ruleOf(denial)}] })`;
  if (kind === undefined || resource === "") return rule;
  if (subresource !== undefined) {
    const action = actions[`${verb} ${subresource}`];
    return action === undefined ? rule : `uses: [may(${kind}, "${action}")]`;
  }
  if (verb === "watch" || verb === "list") return `uses: [${kind}]`;
  if (verb === "get") return `uses: [${kind}], or uses: [live(${kind})] to read it from the server each time`;
  if (!verbsOfMay.includes(verb)) return rule;
  const one = `uses: [may(${kind}, "${verb}")]`;
  return verb === "bind" || verb === "escalate" ? one : `owns: [${kind}] if it is a child, else ${one}`;
}

function ruleOf({ verb, group, resource, path }: Denial): string {
  if (resource === "") return `{ nonResourceURLs: ["${path}"], verbs: ["${verb}"] }`;
  return `{ apiGroups: ["${group}"], resources: ["${resource}"], verbs: ["${verb}"] }`;
}
