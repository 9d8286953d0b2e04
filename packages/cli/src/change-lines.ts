import type { FieldChange } from "kubewright/client";

const signs = { added: "+", removed: "-", changed: "~" } as const;

/** Changed fields of an object, one line each: `  ~ .spec.replicas: 1 -> 2`. */
export function changeLines(changes: readonly FieldChange[]): string {
  return changes
    .map(({ path, change, before, after }) => {
      const values = [before, after].filter((value) => value !== undefined).map((value) => JSON.stringify(value));
      return `  ${signs[change]} ${path}${values.length > 0 ? `: ${values.join(" -> ")}` : ""}\n`;
    })
    .join("");
}
