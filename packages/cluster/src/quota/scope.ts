import { labelSelectorFrom } from "@kubewright/core/selector";

/** What of a quota decides which objects it counts. */
export interface CountingQuota {
  readonly spec?: {
    readonly scopes?: readonly string[] | undefined;
    readonly scopeSelector?: { readonly matchExpressions?: readonly ScopeRequirement[] | undefined } | undefined;
  };
}

/** A condition for objects to be counted. */
export interface ScopeRequirement {
  readonly scopeName: string;
  readonly operator: string;
  readonly values?: readonly string[] | undefined;
}

/** Every condition of a quota. */
export function scopesOf({ spec }: CountingQuota): readonly ScopeRequirement[] {
  const named = spec?.scopes?.map((scopeName) => ({ scopeName, operator: "Exists" })) ?? [];
  return [...named, ...(spec?.scopeSelector?.matchExpressions ?? [])];
}

/** Whether an object is in every scope of a quota. `isIn` tells it of one. */
export function isInScopes(quota: CountingQuota, isIn: (scope: ScopeRequirement) => boolean): boolean {
  return scopesOf(quota).every(isIn);
}

/** Whether the name of a class is one that a condition means; `undefined` stands for none. */
export function meansClass({ scopeName, operator, values = [] }: ScopeRequirement, name: string | undefined): boolean {
  const labels = name === undefined ? {} : { [scopeName]: name };
  return labelSelectorFrom({ matchExpressions: [{ key: scopeName, operator, values }] }).matches(labels);
}
