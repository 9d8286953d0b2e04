import { labelSelectorFrom } from "@kubewright/core/selector";
import type { LabelSelectorObject } from "./selector-input.js";

/**
 * Whether labels match a `LabelSelector` as specs carry it (`matchLabels`, `matchExpressions`), with Kubernetes' rules: an empty selector matches
 * everything, a missing one (undefined) nothing.
 *
 * Throws API_BAD_REQUEST for an invalid key, operator or value.
 *
 * @example
 * const pods = (await list(Pod)).filter(({ metadata }) => matchesSelector(object.spec.selector, metadata.labels));
 */
export function matchesSelector(
  selector: LabelSelectorObject | undefined,
  labels: Readonly<Record<string, string>> | undefined,
): boolean {
  return labelSelectorFrom(selector).matches(labels);
}
