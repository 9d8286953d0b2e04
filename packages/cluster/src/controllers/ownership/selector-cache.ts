import { type LabelSelector, type LabelSelectorObject, labelSelectorFrom } from "@kubewright/core/selector";

const known = new WeakMap<object, LabelSelector>();

/**
 * The selector that an object carries. Objects of the caches are frozen, so that each is read once however often it is asked for; one that
 * cannot be read, or is not there, chooses nothing.
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
