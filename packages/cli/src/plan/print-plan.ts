import { changeLines } from "../change-lines.js";
import type { CommandStreams } from "../command-streams.js";
import { painterFor } from "../painter.js";
import type { PlannedChange, PlannedResult } from "./planned-changes.js";

/** An object whose reconcile failed, so that its changes are not known. */
export interface PlanFailure {
  readonly object: string;
  readonly message: string;
}

/** What a plan found. */
export interface Plan {
  /** How many objects were reconciled. */
  readonly objects: number;
  readonly changes: readonly PlannedChange[];
  readonly failures: readonly PlanFailure[];
}

const words = {
  created: "would be created",
  changed: "would change",
  status: "would get another status",
  deleted: "would be deleted",
  called: "would be acted upon",
} as const satisfies Record<PlannedResult, string>;
const colours = { created: "green", changed: "yellow", status: "dim", deleted: "red", called: "yellow" } as const;

/** Prints each object with its changed fields, then a summary by kind; or one JSON object. */
export function printPlan(
  plan: Plan,
  streams: CommandStreams,
  { output, summary = false }: { readonly output: string; readonly summary?: boolean },
): void {
  const { out, err } = streams;
  const { changes, failures, objects } = plan;
  if (output === "json") {
    out.write(`${JSON.stringify({ ...plan, summary: summaryOf(changes) })}\n`);
    return;
  }
  const paint = painterFor(streams);
  for (const change of summary ? [] : changes) {
    const { kind, namespace, name, result, rollsOut } = change;
    const what = `${words[result]}${rollsOut ? " and roll out" : ""}`;
    out.write(`${kind} ${namespace === "" ? "" : `${namespace}/`}${name} ${paint(colours[result], what)}\n`);
    out.write(changeLines(change.changes));
  }
  for (const { object, message } of failures) err.write(`error: Cannot plan ${object}: ${message}\n`);
  const lines = summaryOf(changes);
  const total = lines.length === 0 ? "nothing would change" : lines.join("; ");
  const failed = failures.length === 0 ? "" : `; ${failures.length} failed`;
  out.write(`${objects} object${objects === 1 ? "" : "s"} reconciled${failed}: ${total}\nNothing was written.\n`);
}

/** `14 Deployments changed, 9 rolled out`, one string for each kind and result. */
function summaryOf(changes: readonly PlannedChange[]): string[] {
  const counts = new Map<
    string,
    { readonly kind: string; readonly result: PlannedResult; count: number; rolled: number }
  >();
  for (const { kind, result, rollsOut } of changes) {
    const key = `${result} ${kind}`;
    const entry = counts.get(key) ?? { kind, result, count: 0, rolled: 0 };
    entry.count += 1;
    entry.rolled += rollsOut ? 1 : 0;
    counts.set(key, entry);
  }
  const verbs = {
    created: "created",
    changed: "changed",
    status: "with another status",
    deleted: "deleted",
    called: "acted upon",
  };
  return [...counts.values()].map(
    ({ kind, result, count, rolled }) =>
      `${count} ${count === 1 ? kind : plural(kind)} ${verbs[result]}${rolled > 0 ? `, ${rolled} rolled out` : ""}`,
  );
}

function plural(kind: string): string {
  if (/(s|x|z|ch|sh)$/.test(kind)) return `${kind}es`;
  return /[^aeiou]y$/.test(kind) ? `${kind.slice(0, -1)}ies` : `${kind}s`;
}
