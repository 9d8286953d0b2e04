/** A selector: as text in Kubernetes' own grammar, or as an object whose pairs must all be equal. */
export type SelectorInput = string | Readonly<Record<string, string>>;

/** The text of a selector; undefined where it selects everything. */
export function formatSelector(selector: SelectorInput | undefined): string | undefined {
  if (selector === undefined || selector === "") return undefined;
  if (typeof selector === "string") return selector;
  const pairs = Object.entries(selector).map(([key, value]) => `${key}=${value}`);
  return pairs.length === 0 ? undefined : pairs.join(",");
}
