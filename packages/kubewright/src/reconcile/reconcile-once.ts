import type { JsonObject } from "@kubewright/core/json";
import { objectMeta } from "../client/index.js";
import { keepKstatus, StatusSession } from "../status/index.js";
import type { AnyController } from "./cached-kinds.js";
import type { AnyContext } from "./context.js";
import type { Controller } from "./controller.js";
import { deleteManaged } from "./delete-managed.js";
import { changedFields } from "./disputed-fields.js";
import { addFinalizer, hasFinalizer, hasRightFinalizers, removeFinalizer } from "./finalizer.js";
import { failed, type Outcome, type ReconcileReturn } from "./outcome.js";
import type { RawController } from "./raw-controller.js";
import type { Run } from "./run.js";
import { ObjectContext, RawKeyContext } from "./run-context.js";

/**
 * Reconciles one object once. Never rejects.
 *
 * 1. A terminating object: `finalize` while it has our finalizer, then managed objects are deleted, then the finalizer is removed. `reconcile` where only other finalizers are left and
 *    the controller sets `whileDeleting`.
 * 2. Otherwise: the finalizer is added where the controller has a `finalize` or manages objects, and removed where it no longer has one.
 * 3. `reconcile`; then the status is written, also after a throw; then the outcome is returned.
 */
export async function reconcileObject(run: Run): Promise<Outcome> {
  const isDeleting = objectMeta(run.object).deletionTimestamp !== undefined;
  run.reportRun(isDeleting ? "finalize" : "reconcile");
  run.services.unservedFinalizers.check(run.services.controller.kind, run.object, run);
  try {
    return await (isDeleting ? deletion(run) : reconciliation(run));
  } catch (error) {
    return failed(error);
  }
}

/** Reconciles one key of a raw controller once. Never rejects. */
export async function reconcileKey(run: Run<RawController>): Promise<Outcome> {
  run.reportRun("reconcile");
  let outcome: Outcome;
  try {
    outcome = await outcomeOf(run, () => run.services.controller.reconcile(new RawKeyContext(run)));
  } catch (error) {
    outcome = failed(error);
  }
  return outcome;
}

/** Calls the user's function, and waits for the calls that it did not await. Throws its error, or else one that it did not observe. */
async function outcomeOf(
  run: Run<AnyController>,
  userFunction: () => ReconcileReturn | Promise<ReconcileReturn>,
): Promise<Outcome> {
  let thrown: { readonly error: unknown } | undefined;
  let returned: unknown;
  try {
    returned = await userFunction();
  } catch (error) {
    thrown = { error };
  }
  try {
    if (!run.endIfSettled()) await run.settleCalls();
  } catch (error) {
    thrown ??= { error };
  }
  if (thrown !== undefined) throw thrown.error;
  return run.outcomeOf(returned);
}

async function deletion(run: Run): Promise<Outcome> {
  const { finalize, reconcile, whileDeleting } = run.services.controller;
  if (!hasFinalizer(run, run.object)) return whileDeleting ? execute(run, reconcile) : { kind: "done" };
  const outcome: Outcome = finalize === undefined ? { kind: "done" } : await execute(run, finalize);
  if (outcome.kind !== "done") return outcome;
  // Their deletion starts the next run.
  if ((await deleteManaged(run)) === "pending") return outcome;
  await removeFinalizer(run);
  return outcome;
}

async function reconciliation(run: Run): Promise<Outcome> {
  const { finalizes, reconcile } = run.services.controller;
  if (hasRightFinalizers(run, run.object)) return execute(run, reconcile);
  const object = await (finalizes ? addFinalizer(run) : removeFinalizer(run));
  // Deleted or terminating: a watch event follows.
  if (object === undefined || objectMeta(object).deletionTimestamp !== undefined) return { kind: "done" };
  run.object = object;
  return execute(run, reconcile);
}

async function execute(run: Run, userFunction: Controller["reconcile"]): Promise<Outcome> {
  const { controller, client, clock, onStage, sharesKind, ownWrites, writeSignal, dropped } = run.services;
  const session = new StatusSession({
    kind: controller.kind,
    object: run.object,
    client,
    clock,
    fieldManager: controller.fieldManager,
    run,
    onWrite: (before, after) => statusWritten(run, before, after),
    onStage,
    ownWrites,
    ...(sharesKind && { sharesKind }),
    ...(dropped && { dropped, onDropped: (paths) => statusDropped(run, paths) }),
  });
  let outcome: Outcome;
  try {
    outcome = await outcomeOf(run, () => userFunction(new ObjectContext(run, session) as unknown as AnyContext));
  } catch (error) {
    outcome = failed(error);
  }
  if (session.keepsKstatus && !isInterrupted(run)) keepKstatus(session, outcome, run.verb);
  if (session.available && !writeSignal.aborted) {
    try {
      // A terminating object needs no observedGeneration.
      // With kstatus a terminal error completes the generation: otherwise it counts as in progress, not as failed.
      const isEnd = outcome.kind === "terminal" && session.keepsKstatus;
      const completed =
        (outcome.kind === "done" || outcome.kind === "requeue" || isEnd) && userFunction === controller.reconcile;
      await session.save({ completed, signal: writeSignal });
    } catch (error) {
      // The error of the run matters more; the next run writes the status.
      if (outcome.kind === "done" || outcome.kind === "requeue") outcome = failed(error);
      else run.logger.warn({ err: error }, "Cannot write the status after a failed reconcile");
    }
  }
  return outcome;
}

/** Whether the run was aborted by a shutdown: it has not failed. */
function isInterrupted({ services }: Run): boolean {
  return services.stopSignal.aborted;
}

/** The CRD is older than the program. Once per field and controller: it is not about this object. */
function statusDropped({ services, object, logger }: Run, paths: readonly string[]): void {
  const { controller, recorder } = services;
  const why = "its CustomResourceDefinition does not specify them";
  logger.warn({ fields: paths }, `The server drops fields: ${why}; apply the current one`);
  const note = `The server drops ${paths.join(", ")}: ${why}`.slice(0, 1_000);
  recorder.record(controller.kind, object, { type: "Warning", reason: "FieldsDropped", note });
}

function statusWritten(run: Run, before: JsonObject, after: JsonObject): void {
  const { services, key, object, causes } = run;
  const { controller, fieldConflicts } = services;
  run.recording?.statusWritten(controller.kind, before, after);
  const { generation, uid = "" } = objectMeta(object);
  // A removed field counts as changed too.
  let status = after;
  for (const name of Object.keys(before)) if (!Object.hasOwn(after, name)) status = { ...status, [name]: null };
  fieldConflicts.corrected({
    kind: controller.kind.id,
    key,
    uid,
    fields: changedFields(".status", before, status),
    suspect: undefined,
    generation,
    causes,
  });
}
