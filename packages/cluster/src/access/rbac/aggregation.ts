import { isJsonObject, type JsonObject } from "@kubewright/core/json";
import { type LabelSelectorObject, labelSelectorFrom } from "@kubewright/core/selector";
import type { PolicyRule } from "../authorizer.js";

/** A stored ClusterRole, as far as aggregation reads it. */
export interface AggregatedRole {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly rules: readonly PolicyRule[];
  /** The selectors of its aggregationRule; undefined for a role without one. */
  readonly selectors: readonly LabelSelectorObject[] | undefined;
}

/** Reads a stored ClusterRole. It passed validation, so its fields have these types. */
export function aggregatedRoleOf({ metadata, rules, aggregationRule }: JsonObject): AggregatedRole {
  const { name, labels } = (isJsonObject(metadata) ? metadata : {}) as Partial<AggregatedRole>;
  const { clusterRoleSelectors } = isJsonObject(aggregationRule) ? aggregationRule : {};
  return {
    name: name ?? "",
    labels: labels ?? {},
    rules: (Array.isArray(rules) ? rules : []) as readonly PolicyRule[],
    selectors: isJsonObject(aggregationRule)
      ? ((clusterRoleSelectors ?? []) as unknown as readonly LabelSelectorObject[])
      : undefined,
  };
}

/** The rules of all ClusterRoles that an aggregated one selects: by selector, then by name, each rule once. `roles` are sorted by name. */
export function aggregatedRules(
  { name, selectors = [] }: AggregatedRole,
  roles: readonly AggregatedRole[],
): PolicyRule[] {
  const rules = new Map<string, PolicyRule>();
  for (const selector of selectors) {
    const { matches } = labelSelectorFrom(selector);
    for (const role of roles) {
      if (role.name === name || !matches(role.labels)) continue;
      for (const rule of role.rules) {
        const key = keyOf(rule);
        if (!rules.has(key)) rules.set(key, rule);
      }
    }
  }
  return [...rules.values()];
}

/** Whether two lists have the same rules in the same order. */
export function sameRules(a: readonly PolicyRule[], b: readonly PolicyRule[]): boolean {
  return a.length === b.length && a.every((rule, index) => rule === b[index] || keyOf(rule) === keyOf(b[index] ?? {}));
}

function keyOf({ verbs, apiGroups, resources, resourceNames, nonResourceURLs }: PolicyRule): string {
  return JSON.stringify([verbs, apiGroups, resources, resourceNames, nonResourceURLs]);
}
