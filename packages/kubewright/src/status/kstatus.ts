import { kstatusReasons } from "../definition/index.js";
import type { StatusSession } from "./status-session.js";

/** How a run ended, as far as conditions show it. */
export type KstatusOutcome =
  | { readonly kind: "done" | "requeue" }
  | { readonly kind: "retry" | "terminal"; readonly error: Error };

/** Longer messages hide the others in `kubectl describe`. */
const maxMessage = 1_000;
const ownReasons: ReadonlySet<string> = new Set(kstatusReasons.Ready);

/**
 * Keeps the conditions of kstatus in the draft of a run that has ended.
 *
 * | outcome | `Ready`, unless the run has set it | `Reconciling` | `Stalled` |
 * |---|---|---|---|
 * | done | True, where it is missing or was set by the framework | removed | removed |
 * | requeue | False, where it is missing or was set by the framework | True, unless `Ready` is True | removed |
 * | retry | False, `ReconcileFailed` | True | removed |
 * | terminal | False, `ReconcileFailed` | removed | True |
 *
 * A requeue of a ready object is a poll: it stays current. `Ready` of a terminating object stays as it is.
 */
export function keepKstatus(
  session: Pick<StatusSession, "conditions" | "hasSet">,
  outcome: KstatusOutcome,
  verb: "reconcile" | "finalize",
): void {
  const { conditions } = session;
  const keepsReady = verb === "reconcile" && !session.hasSet("Ready");
  const ready = conditions.get("Ready");
  const isOurs = ready === undefined || ownReasons.has(ready.reason);
  switch (outcome.kind) {
    case "done":
      if (keepsReady && isOurs) conditions.set("Ready", { status: true, reason: "Reconciled" });
      conditions.remove("Reconciling");
      conditions.remove("Stalled");
      return;
    case "requeue":
      if (keepsReady && isOurs) conditions.set("Ready", { status: false, reason: "Requeued" });
      if (conditions.get("Ready")?.status === "True") conditions.remove("Reconciling");
      else conditions.set("Reconciling", { status: true, reason: "Requeued" });
      conditions.remove("Stalled");
      return;
    case "retry":
    case "terminal": {
      const message = outcome.error.message.slice(0, maxMessage);
      if (keepsReady) conditions.set("Ready", { status: false, reason: "ReconcileFailed", message });
      if (outcome.kind === "retry") {
        conditions.set("Reconciling", { status: true, reason: "Retrying", message });
        conditions.remove("Stalled");
      } else {
        conditions.set("Stalled", { status: true, reason: "TerminalError", message });
        conditions.remove("Reconciling");
      }
      return;
    }
    default:
      outcome satisfies never;
  }
}
