import { type LabelSelector, type LabelSelectorObject, labelSelectorFrom } from "@kubewright/core/selector";

/** One rule of a webhook or a policy. Absent lists match nothing. */
export interface MatchRule {
  readonly operations?: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly apiVersions?: readonly string[];
  readonly resources?: readonly string[];
  readonly scope?: string;
  /** Only rules of policies have names. @default every name */
  readonly resourceNames?: readonly string[];
}

/** The match fields of a stored, defaulted webhook, or the MatchResources of a policy or binding. */
export interface MatchFields {
  readonly matchPolicy?: string;
  readonly namespaceSelector?: LabelSelectorObject;
  readonly objectSelector?: LabelSelectorObject;
  /** The rules of a webhook. Without rules, it matches nothing. */
  readonly rules?: readonly MatchRule[];
  /** The rules of a policy, where `rules` is absent. Without rules, it matches everything. */
  readonly resourceRules?: readonly MatchRule[];
  readonly excludeResourceRules?: readonly MatchRule[];
}

/** Parsed match fields, which are independent of a request. Keep them as long as the webhook or policy is stored. */
export interface MatchCriteria {
  /** Undefined: matches every resource. */
  readonly rules: readonly MatchRule[] | undefined;
  readonly excluded: readonly MatchRule[];
  /** Whether a rule also matches requests of other versions of its resources. */
  readonly isEquivalent: boolean;
  readonly namespaceSelector: LabelSelector;
  readonly objectSelector: LabelSelector;
}

/** Parses the match fields of a webhook or a policy. Throws if a selector is invalid, which validation prevents. */
export function parseCriteria(match: MatchFields): MatchCriteria {
  const { rules, resourceRules = [], excludeResourceRules = [] } = match;
  return {
    rules: rules ?? (resourceRules.length === 0 ? undefined : resourceRules),
    excluded: excludeResourceRules,
    isEquivalent: match.matchPolicy === "Equivalent",
    namespaceSelector: labelSelectorFrom(match.namespaceSelector ?? {}),
    objectSelector: labelSelectorFrom(match.objectSelector ?? {}),
  };
}
