import { OperatorError } from "@kubewright/core/errors";
import { labelKeyProblems, labelSelectorFrom, labelValueProblems } from "@kubewright/core/selector";

/** A selector: a string in Kubernetes' grammar, or an object whose pairs must all be equal. */
export type SelectorInput = string | Readonly<Record<string, string>>;

/** A selector as objects carry it. */
export interface LabelSelectorObject {
  readonly matchLabels?: Readonly<Record<string, string>> | undefined;
  readonly matchExpressions?:
    | readonly { readonly key: string; readonly operator: string; readonly values?: readonly string[] | undefined }[]
    | undefined;
}

/** A selector of labels: as {@link SelectorInput}, or as objects carry it, for instance a Deployment's `spec.selector`. */
export type LabelSelectorInput = SelectorInput | LabelSelectorObject;

/** A label selector as a string; undefined where it selects everything. Throws CONFIG_INVALID for an invalid label. */
export function formatLabels(selector: LabelSelectorInput | undefined): string | undefined {
  if (selector === undefined || selector === "") return undefined;
  if (typeof selector === "string") return selector;
  if (isSelectorObject(selector)) return printed(selector);
  const pairs = Object.entries(selector);
  for (const [key, value] of pairs) {
    // A comma in a value would silently become another requirement.
    const [problem] = [...labelKeyProblems(key), ...labelValueProblems(value)];
    if (problem !== undefined) {
      throw new OperatorError("CONFIG_INVALID", `Cannot select by label "${key}=${value}": ${problem}`);
    }
  }
  return joined(pairs);
}

/** A field selector as a string; undefined where it selects everything. */
export function formatFields(selector: SelectorInput | undefined): string | undefined {
  if (selector === undefined || selector === "") return undefined;
  if (typeof selector === "string") return selector;
  return joined(Object.entries(selector).map(([key, value]) => [key, value.replace(/[\\,=]/g, "\\$&")]));
}

function joined(pairs: readonly (readonly [string, string])[]): string | undefined {
  return pairs.length === 0 ? undefined : pairs.map(([key, value]) => `${key}=${value}`).join(",");
}

function printed({ matchLabels = {}, matchExpressions = [] }: LabelSelectorObject): string | undefined {
  const expressions = matchExpressions.map(({ key, operator, values = [] }) => ({ key, operator, values }));
  return labelSelectorFrom({ matchLabels, matchExpressions: expressions }).toString() || undefined;
}

/** A label may be called "matchLabels", but its value is then a string. */
function isSelectorObject(selector: Exclude<LabelSelectorInput, string>): selector is LabelSelectorObject {
  const { matchLabels, matchExpressions } = selector;
  return typeof matchLabels === "object" || typeof matchExpressions === "object";
}
