/**
 * `kubewright plan`: what an operator's reconcilers would change in a cluster.
 *
 * @module
 */
import { sleep, systemClock } from "@kubewright/core/clock";
import { OperatorError } from "@kubewright/core/errors";
import { type Duration, durationMs } from "@kubewright/core/meta";
import { asDuration, type Operator, operator, type RecordedRun, type RunningOperator } from "kubewright";
import { HttpsTransport, loadConnection } from "kubewright/transport";
import type { CommandStreams } from "../command-streams.js";
import { type ExitCode, exitCodes } from "../exit-codes.js";
import { loadOperator, type TargetOptions } from "../load-operator.js";
import { startProgress } from "../progress.js";
import { stopSignal } from "../stop-signal.js";
import { DryRunTransport } from "./dry-run-transport.js";
import { type PlanFailure, printPlan } from "./print-plan.js";

/** The options of `kubewright plan`. */
export interface PlanOptions extends TargetOptions {
  readonly namespace?: readonly string[];
  readonly timeout: string;
  readonly check?: boolean;
  readonly summary?: boolean;
  readonly output: string;
}

/** The reconcilers are done when nothing has run for so long. */
const quietMs = 300;
const pollMs = 20;

/** Prints what the first runs of all objects, and the runs that follow from them, would write. Nothing is written. */
export async function planCommand(module: string, options: PlanOptions, streams: CommandStreams): Promise<ExitCode> {
  const { context, kubeconfig, namespace, timeout, check = false } = options;
  const signal = streams.signal ?? stopSignal();
  const operator = await loadOperator(module);
  const connection = await loadConnection({
    ...(context !== undefined && { context }),
    ...(kubeconfig !== undefined && { kubeconfig }),
  });
  const transport = new DryRunTransport(
    new HttpsTransport(connection, { clock: systemClock, userAgent: "kubewright-plan" }),
  );
  const objects = new Set<string>();
  const failures = new Map<string, PlanFailure>();
  await using progress = await startProgress(streams, options.output);
  const onRun = ({ kind, controller, key, outcome }: RecordedRun): void => {
    const object = `${kind === "" ? controller : kind.slice(kind.lastIndexOf("/") + 1)} ${key}`;
    objects.add(object);
    progress.step(`${objects.size} objects reconciled`);
    if (outcome.kind === "retry" || outcome.kind === "terminal")
      failures.set(object, { object, message: outcome.error ?? "it failed" });
    else failures.delete(object);
  };
  try {
    const running = await withoutEffects(operator).start({
      transport,
      onRun,
      signal,
      failureEvents: false,
      ...(namespace && { namespace }),
    });
    try {
      await untilQuiet(running, asDuration(timeout) as Duration, signal);
    } finally {
      await running.stop();
    }
    for (const { kind, fields } of await running.prunedFields())
      streams.err.write(
        `warning: the cluster would drop ${fields.join(", ")} of ${kind}: run kubewright install first\n`,
      );
  } finally {
    await transport.close();
  }
  progress.stop();
  const changes = transport.changes.list();
  const plan = { objects: objects.size, changes, failures: [...failures.values()] };
  printPlan(plan, streams, options);
  if (failures.size > 0) return exitCodes.failed;
  return check && changes.length > 0 ? exitCodes.drifted : exitCodes.done;
}

/** The same controllers without what acts outside of the cluster by itself: finalizers of deleted objects, external events, tasks. */
function withoutEffects({ name, controllers, rawControllers }: Operator): Operator {
  return operator({
    name,
    controllers: [
      ...controllers.map((controller) => ({
        ...controller,
        finalize: controller.finalize && postponed,
        gone: undefined,
        sources: [],
      })),
      ...rawControllers,
    ],
  });
}

/** A finalizer that is done is removed, and with it the object. */
const postponed: Operator["controllers"][number]["finalize"] = ({ requeueAfter }) => requeueAfter("24h");

async function untilQuiet(running: RunningOperator, timeout: Duration, signal: AbortSignal): Promise<void> {
  const limitMs = systemClock.monotonic() + durationMs("timeout", timeout);
  for (let quietSince = systemClock.monotonic(), runs = running.runs; ; ) {
    await sleep(systemClock, pollMs, signal);
    signal.throwIfAborted();
    const nowMs = systemClock.monotonic();
    if (!running.idle || running.runs !== runs) {
      quietSince = nowMs;
      runs = running.runs;
    }
    if (nowMs - quietSince >= quietMs) return;
    if (nowMs >= limitMs)
      throw new OperatorError(
        "WAIT_TIMEOUT",
        `Cannot plan: the reconcilers still run after ${timeout} (${running.busy().slice(0, 3).join("; ")}); use a longer --timeout, or -n for some namespaces`,
      );
  }
}
