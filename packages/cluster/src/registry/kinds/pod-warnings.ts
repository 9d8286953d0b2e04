import type { JsonObject } from "@kubewright/core/json";
import { objectAt, textAt } from "../draft.js";
import { entriesAt } from "./field-checks.js";

/** Advice about pods that are taken all the same. */
export function podWarnings(pod: JsonObject): readonly string[] {
  return podSpecWarnings(objectAt(pod, "spec"), "spec");
}

/** The same about the spec of a pod, wherever it stands. */
export function podSpecWarnings(spec: JsonObject, field: string): readonly string[] {
  const warnings: string[] = [];
  for (const list of ["initContainers", "containers"])
    for (const [container, at] of entriesAt(spec, list, field)) {
      const last = new Map<string, string>();
      for (const [variable, place] of entriesAt(container, "env", at)) {
        const name = textAt(variable, "name");
        const before = last.get(name);
        if (before !== undefined)
          warnings.push(
            `${place}: hides previous definition of ${JSON.stringify(name)}, which may be dropped when using apply`,
          );
        last.set(name, place);
      }
    }
  return warnings;
}
