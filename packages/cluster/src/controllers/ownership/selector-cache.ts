import { type LabelSelector, type LabelSelectorObject, labelSelectorFrom } from "@kubewright/core/selector";

const known = new WeakMap<object, LabelSelector>();

/**
 * The parsed selector of an object. Cached objects are frozen, so each selector is parsed once. An invalid or missing
 * selector matches nothing.
 */
export function selectorOf(selector: LabelSelectorObject | undefined): LabelSelector {
  if (selector === undefined) return labelSelectorFrom(undefined);
  const found = known.get(selector) ?? read(selector);
  known.set(selector, found);
  return found;
}

function read(selector: LabelSelectorObject): LabelSelector {
  try {
    return labelSelectorFrom(selector);
  } catch {
    return labelSelectorFrom(undefined);
  }
}
