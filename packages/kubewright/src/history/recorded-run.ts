import type { FieldChange } from "./field-changes.js";

/** Why an object was reconciled. */
export interface RecordedCause {
  /** As in the `causes` of a run: `for`, `owns`, `watches`, `requeue`, `retry` and others. */
  readonly source: string;
  readonly change?: string;
  /** The object was in the initial list. */
  readonly initial?: boolean;
  /** The changed object's kind, as `group/version/Kind`. */
  readonly kind?: string;
  readonly namespace?: string;
  readonly name?: string;
  /** The fields that an update changed, at most twenty. */
  readonly changedPaths?: readonly string[];
  /** Of a retry: why the run before it failed. */
  readonly error?: string;
}

/** What a run read from the cache and depends on. */
export interface RecordedRead {
  /** As `group/version/Kind`. */
  readonly kind: string;
  /** An object's key, or what a list selected. */
  readonly what: string;
}

/** A request of a run that changes an object. */
export interface RecordedWrite {
  /** `apply`, `create`, `patch`, `delete`, `add finalizer` and others. */
  readonly verb: string;
  /** As `group/version/Kind`. */
  readonly kind: string;
  readonly key: string;
  /** How it ended: `failed` also where the run did not wait for the response. */
  readonly result: "created" | "changed" | "unchanged" | "deleted" | "sent" | "failed";
  /** What it changed, at most twenty fields; empty for a new or deleted object, and where the object before is not known. */
  readonly changes: readonly FieldChange[];
}

/** A line that the run logged. */
export interface LoggedLine {
  readonly level: "debug" | "info" | "warn" | "error";
  /** At most 200 characters. */
  readonly message: string;
  /** The fields as `name=value`, at most 300 characters; absent without fields. */
  readonly fields?: string;
}

/** A condition at one time. */
export interface ConditionState<Reason extends string = string> {
  readonly status: "True" | "False" | "Unknown";
  readonly reason: Reason;
}

/** A condition that a run changed; `from` is undefined for a new one, `to` for a removed one. */
export interface ConditionTransition<Reason extends string = string> {
  readonly from?: ConditionState;
  readonly to?: ConditionState<Reason>;
}

/** How a run ended. */
export interface RecordedOutcome {
  /** `stopped`: the run was aborted by a shutdown, or its shard moved to another replica. */
  readonly kind: "done" | "requeue" | "retry" | "terminal" | "stopped";
  /** Of a failure: its message, at most 500 characters. */
  readonly error?: string;
  /** Of `retry`: how often it failed in a row. */
  readonly failures?: number;
  /** When it runs again at the latest; undefined: at the next change. */
  readonly nextAfterMs?: number;
}

/** One run of one object. A plain JSON value. */
export interface RecordedRun<Conditions = Readonly<Record<string, string>>> {
  readonly controller: string;
  /** As `group/version/Kind`; "" for a raw controller. */
  readonly kind: string;
  readonly key: string;
  /** Counts the runs of the object, from 1. Starts again when the process restarts. */
  readonly run: number;
  readonly verb: "reconcile" | "finalize";
  /** As in the log; undefined where nothing was logged. */
  readonly reconcileId?: string;
  /** RFC 3339, with milliseconds. */
  readonly startedAt: string;
  readonly durationMs: number;
  readonly causes: readonly RecordedCause[];
  readonly reads: readonly RecordedRead[];
  readonly writes: readonly RecordedWrite[];
  /** What the run logged with the `log` of its context, at most twenty lines. Not redacted: what is logged is the program's choice. */
  readonly logs: readonly LoggedLine[];
  /** What it changed in the status, without conditions. */
  readonly status: readonly FieldChange[];
  /** The conditions that it changed, by type. */
  readonly conditions: {
    readonly [Type in keyof Conditions]?: ConditionTransition<Conditions[Type] & string>;
  };
  readonly outcome: RecordedOutcome;
  /** Causes, reads, writes or log lines are missing, because there were too many. */
  readonly truncated?: true;
}
