import { type Cause, describeCause } from "../route/index.js";
import type { FieldChange } from "./field-changes.js";
import type {
  ConditionState,
  LoggedLine,
  RecordedCause,
  RecordedOutcome,
  RecordedRun,
  RecordedWrite,
} from "./recorded-run.js";

/** How the parts of a run are marked, such as with colours. Each returns its argument with something around it. */
export interface RunMarks {
  readonly good: (part: string) => string;
  readonly bad: (part: string) => string;
  readonly dim: (part: string) => string;
}

const plain: RunMarks = { good: (part) => part, bad: (part) => part, dim: (part) => part };
const indent = " ".repeat(10);
const maxPaths = 6;
const signs = { added: "+", removed: "-", changed: "~" } as const;

/** A run in lines of text: when and why it ran, what it read and wrote, how it ended, and when it runs again. Times of day are UTC. */
export function formatRun(run: RecordedRun, marks: RunMarks = plain): string {
  const { startedAt, verb, reads, writes, logs, status, conditions, outcome, durationMs, truncated } = run;
  const first = `${startedAt.slice(11, 19)}  run ${run.run}${verb === "finalize" ? " (finalize)" : ""}`;
  const causes = run.causes.map((cause) => `cause: ${formatCause(cause)}`);
  const lines = [
    ...causes.slice(1),
    ...(reads.length === 0
      ? []
      : [marks.dim(`read   ${reads.map(({ kind, what }) => `${short(kind)} ${what}`).join(", ")}`)]),
    ...writes.map((write) => formatWrite(write, marks)),
    ...Object.entries(conditions).map(([type, transition]) => {
      return `status ${type}: ${state(transition?.from)} -> ${state(transition?.to)}`;
    }),
    ...(status.length === 0 ? [] : [`status ${formatChanges(status)}`]),
    ...logs.map((line) => formatLog(line, marks)),
    ...(truncated ? [marks.dim("more causes, reads, writes or log lines are not kept")] : []),
    formatOutcome(outcome, durationMs, marks),
  ];
  return [`${first}  ${causes[0] ?? "cause: unknown"}`, ...lines.map((line) => indent + line)].join("\n");
}

function formatCause({
  source,
  change,
  initial = false,
  kind = "",
  namespace = "",
  name = "",
  ...rest
}: RecordedCause): string {
  const { changedPaths = [], error = "" } = rest;
  if (change === undefined) return describeCause({ source, error } as Cause);
  if (source === "for" && initial)
    return `${short(kind)} ${namespace === "" ? name : `${namespace}/${name}`}, found at the start`;
  return describeCause({ source, change, initial, kind, namespace, name, changedPaths } as Cause);
}

/** A write as one line. */
export function formatWrite({ verb, kind, key, result, changes }: RecordedWrite, marks: RunMarks = plain): string {
  const what = `${verb.padEnd(6)} ${short(kind)} ${key}`;
  if (result === "failed") return marks.bad(`${what}    failed`);
  return changes.length === 0 ? `${what}    ${result}` : `${what}    ${formatChanges(changes)}`;
}

function formatLog({ level, message, fields }: LoggedLine, { bad, dim }: RunMarks): string {
  const line = `log    ${level} ${message}${fields === undefined ? "" : ` ${fields}`}`;
  return level === "error" ? bad(line) : level === "warn" ? line : dim(line);
}

function formatChanges(changes: readonly FieldChange[]): string {
  return list(
    changes.map(({ path, change, before, after }) => {
      const values = change === "changed" && before !== undefined && after !== undefined;
      const value = values ? ` ${before} -> ${after}` : change === "added" && after !== undefined ? ` ${after}` : "";
      return `${signs[change]} ${path}${value}`;
    }),
  );
}

function formatOutcome(outcome: RecordedOutcome, durationMs: number, { good, bad }: RunMarks): string {
  const { kind, error = "", failures = 1, nextAfterMs } = outcome;
  const took = `in ${Math.round(durationMs)} ms`;
  const next = nextAfterMs === undefined ? "next: on change" : `next: in ${duration(nextAfterMs)} or on change`;
  switch (kind) {
    case "done":
    case "requeue":
      return `${good(`done ${took}`)}; ${next}`;
    case "retry":
      return `${bad(`failed ${took}${failures > 1 ? ` (${failures} times in a row)` : ""}: ${error}`)}; ${next}`;
    case "terminal":
      return `${bad(`failed ${took} with a terminal error: ${error}`)}; ${next}`;
    case "stopped":
      return `stopped after ${Math.round(durationMs)} ms: the controller stops, or another replica took over`;
    default:
      return kind satisfies never;
  }
}

function state(condition: ConditionState | undefined): string {
  return condition === undefined ? "none" : `${condition.status} ${condition.reason}`;
}

function short(kind: string): string {
  return kind.slice(kind.lastIndexOf("/") + 1);
}

function list(items: readonly string[]): string {
  const rest = items.length - maxPaths;
  return rest <= 0 ? items.join(", ") : `${items.slice(0, maxPaths).join(", ")} and ${rest} more`;
}

function duration(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  return ms < 120_000 ? `${Math.round(ms / 100) / 10} s` : `${Math.round(ms / 60_000)} min`;
}
