import type { LogFields } from "@kubewright/core/log";
import { formatWrite, type RecordedOutcome } from "../history/index.js";
import { describeCause } from "../route/index.js";
import type { AnyController } from "./cached-kinds.js";
import type { Run } from "./run.js";

/** More causes do not help, and a key may collect thousands. */
const maxCauses = 8;

/** One line per run, for debugging: why it ran, what it wrote, how it ended. Contains paths of changed fields, and no values of Secrets. */
export function logRun(run: Run<AnyController>, durationMs: number, outcome: RecordedOutcome): void {
  const { kind, nextAfterMs } = outcome;
  const writes = run.recorded?.writes.map((write) => formatWrite(write)) ?? [];
  run.logger.debug(
    {
      causes: causesOf(run),
      ...(writes.length > 0 && { writes }),
      outcome: kind,
      durationMs,
      ...(nextAfterMs !== undefined && { nextAfterMs }),
    },
    run.verb === "finalize" ? "Finalized" : "Reconciled",
  );
}

/** What an error line says about a failed run. The stack is logged once: a retry that fails in the same way has the message only. */
export function failureFields(run: Run<AnyController>, error: Error): LogFields {
  const isRepeated = run.causes.some((cause) => cause.source === "retry" && cause.error === error.message);
  return { ...(isRepeated ? { error: error.message } : { err: error }), causes: causesOf(run) };
}

function causesOf({ causes }: Run<AnyController>): readonly string[] {
  try {
    return causes.slice(0, maxCauses).map(describeCause);
  } catch {
    // The server sent invalid JSON in a field that nothing has read so far.
    return [];
  }
}
