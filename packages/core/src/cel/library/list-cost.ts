import type { SizedNode } from "../cost/estimate.js";

/** The elements of a list as a node of their own; undefined for what is no list. */
export function itemsOf(list: SizedNode): SizedNode | undefined {
  const [type] = list.type.params;
  if (type === undefined) return undefined;
  const path = list.path === undefined ? undefined : [...list.path, "@items"];
  return { path, type, literal: undefined, size: undefined };
}
