import { type FieldManager, managerId } from "./field-managers.js";
import type { FieldSet } from "./field-set.js";

/** Fields that an apply would change and that another manager owns. */
export interface ApplyConflict {
  readonly manager: string;
  readonly apiVersion: string;
  readonly operation: "Apply" | "Update";
  readonly time?: string;
  readonly subresource?: string;
  /** For instance `.spec.containers[name="web"].image`. */
  readonly paths: readonly string[];
}

/** Makes conflicts from the changed fields that each manager owns, sorted as in messages. */
export function conflictsOf(
  owned: readonly { readonly manager: FieldManager; readonly fields: FieldSet }[],
): ApplyConflict[] {
  return [...owned]
    .sort((a, b) => (managerId(a.manager) < managerId(b.manager) ? -1 : 1))
    .map(({ manager, fields }) => ({
      manager: manager.manager,
      apiVersion: manager.apiVersion,
      operation: manager.operation,
      ...(manager.time === undefined ? {} : { time: manager.time }),
      ...(manager.subresource === "" ? {} : { subresource: manager.subresource }),
      paths: fields.paths(),
    }));
}

/** kube-apiserver's message for a rejected apply. */
export function conflictMessage(conflicts: readonly ApplyConflict[]): string {
  const count = conflicts.reduce((sum, conflict) => sum + conflict.paths.length, 0);
  const [first] = conflicts;
  if (count === 1 && first !== undefined) {
    return `Apply failed with 1 conflict: conflict with ${describeManager(first)}: ${first.paths[0]}`;
  }
  const lines = conflicts.flatMap((conflict) => [
    `conflicts with ${describeManager(conflict)}:`,
    ...conflict.paths.map((path) => `- ${path}`),
  ]);
  return `Apply failed with ${count} conflicts: ${lines.join("\n")}`;
}

/** The manager in conflict messages, also in `details.causes[].message` after "conflict with ". */
export function describeManager(conflict: ApplyConflict): string {
  let text = JSON.stringify(conflict.manager);
  if (conflict.subresource !== undefined) text += ` with subresource ${JSON.stringify(conflict.subresource)}`;
  // The time is not part of a manager's identity, so kube-apiserver does not print it.
  return conflict.operation === "Update" ? `${text} using ${conflict.apiVersion}` : text;
}
