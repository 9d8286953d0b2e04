import { type FieldManager, managerId } from "./field-managers.js";
import type { FieldSet } from "./field-set.js";

/** Fields that an apply wants to change and that another manager owns. */
export interface ApplyConflict {
  readonly manager: string;
  readonly apiVersion: string;
  readonly operation: "Apply" | "Update";
  readonly time?: string;
  readonly subresource?: string;
  /** As texts print them: `.spec.containers[name="web"].image`. */
  readonly paths: readonly string[];
}

/** Makes conflicts of what each manager owns of the changed fields, in the order of texts. */
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

/** The text of a refused apply, as the server writes it. */
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

/** The manager of a conflict as texts name it, also in `details.causes[].message` after "conflict with ". */
export function describeManager(conflict: ApplyConflict): string {
  let text = JSON.stringify(conflict.manager);
  if (conflict.subresource !== undefined) text += ` with subresource ${JSON.stringify(conflict.subresource)}`;
  // The time is no part of a manager's identity, so the server does not print it.
  return conflict.operation === "Update" ? `${text} using ${conflict.apiVersion}` : text;
}
