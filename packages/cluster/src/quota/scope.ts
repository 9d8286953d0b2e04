import { labelSelectorFrom } from "@kubewright/core/selector";

/** The fields of a ResourceQuota that select the objects it counts. */
export interface ScopedQuota {
  readonly spec?: {
    readonly scopes?: readonly string[] | undefined;
    readonly scopeSelector?: { readonly matchExpressions?: readonly ScopeRequirement[] | undefined } | undefined;
  };
}

/** A requirement of a quota's scopes or scopeSelector. */
export interface ScopeRequirement {
  readonly scopeName: string;
  readonly operator: string;
  readonly values?: readonly string[] | undefined;
}

/** All scope requirements of a quota. */
export function scopesOf({ spec }: ScopedQuota): readonly ScopeRequirement[] {
  const named = spec?.scopes?.map((scopeName) => ({ scopeName, operator: "Exists" })) ?? [];
  return [...named, ...(spec?.scopeSelector?.matchExpressions ?? [])];
}

/** Whether an object matches every scope of a quota. `matchesScope` decides for one scope. */
export function matchesScopes(quota: ScopedQuota, matchesScope: (scope: ScopeRequirement) => boolean): boolean {
  return scopesOf(quota).every(matchesScope);
}

/** Whether a class name satisfies a scope requirement; `undefined` stands for no class. */
export function classMatches(
  { scopeName, operator, values = [] }: ScopeRequirement,
  name: string | undefined,
): boolean {
  const labels = name === undefined ? {} : { [scopeName]: name };
  return labelSelectorFrom({ matchExpressions: [{ key: scopeName, operator, values }] }).matches(labels);
}
