import { formatKey, keyOf } from "@kubewright/core/identity";
import type { JsonObject } from "@kubewright/core/json";
import { objectMeta } from "../client/index.js";
import type { AnyKind, ReadOf } from "../definition/index.js";
import type { Cause } from "../route/index.js";
import { StatusSession } from "../status/index.js";
import type { AnyContext } from "./context.js";
import type { Controller } from "./controller.js";
import { changedFields } from "./disputed-fields.js";
import { addFinalizer, hasFinalizer, removeFinalizer } from "./finalizer.js";
import { ObjectRunContext } from "./object-run-context.js";
import { failed, type Outcome } from "./outcome.js";
import type { RunEnvironment } from "./run-environment.js";
import { RunRemains } from "./run-remains.js";
import { type RunScope, type RunServices, traceRun } from "./run-scope.js";

/** One run. */
export interface RunInput {
  readonly object: ReadOf<AnyKind>;
  readonly causes: readonly Cause[];
  readonly environment: RunEnvironment;
  /** Aborts when nothing may be written any more (lost lease). Until then the status is still written. */
  readonly writeSignal: AbortSignal;
}

/**
 * Reconciles one object once. Never rejects.
 *
 * 1. A terminating object: `finalize` while it has our finalizer, then the finalizer is removed. `reconcile` where only other finalizers are left and
 *    the controller sets `whileDeleting`.
 * 2. Otherwise: the finalizer is added where the controller has a `finalize`, and removed where it no longer has one.
 * 3. `reconcile`; then the status is written, also after a throw; then the outcome is returned.
 */
export async function runOnce(services: RunServices, input: RunInput): Promise<Outcome> {
  const { controller, access, client, informers, recorder, fieldConflicts, clock, random, trace } = services;
  const { object, causes, environment } = input;
  // Field by field: a spread would give each controller's scope its own hidden class in V8.
  const scope: RunScope = {
    controller,
    access,
    client,
    informers,
    recorder,
    fieldConflicts,
    clock,
    random,
    trace,
    object,
    causes,
    environment,
  };
  const deleting = objectMeta(object).deletionTimestamp !== undefined;
  traceRun(scope, deleting ? "finalize" : "reconcile");
  try {
    return await (deleting ? runDeletion(scope, input) : runReconcile(scope, input));
  } catch (error) {
    return failed(error);
  }
}

async function runDeletion(scope: RunScope, input: RunInput): Promise<Outcome> {
  const { finalize, reconcile, whileDeleting } = scope.controller;
  if (!hasFinalizer(scope, scope.object)) return whileDeleting ? execute(scope, input, reconcile) : { kind: "done" };
  const outcome: Outcome = finalize === undefined ? { kind: "done" } : await execute(scope, input, finalize);
  if (outcome.kind === "done") await removeFinalizer(scope);
  return outcome;
}

async function runReconcile(scope: RunScope, input: RunInput): Promise<Outcome> {
  const { finalize, reconcile } = scope.controller;
  const held = hasFinalizer(scope, scope.object);
  if (held === (finalize !== undefined)) return execute(scope, input, reconcile);
  const object = held ? await removeFinalizer(scope) : await addFinalizer(scope);
  // Deleted or terminating: a watch event follows.
  if (object === undefined || objectMeta(object).deletionTimestamp !== undefined) return { kind: "done" };
  return execute({ ...scope, object }, input, reconcile);
}

async function execute(scope: RunScope, input: RunInput, run: Controller["reconcile"]): Promise<Outcome> {
  const { controller, client, clock, environment, trace } = scope;
  const session = new StatusSession({
    kind: controller.kind,
    object: scope.object,
    client,
    clock,
    fieldManager: controller.fieldManager,
    environment,
    onWrite: (before, after) => statusWritten(scope, before, after),
    trace,
  });
  const remains = new RunRemains();
  const { writeSignal } = input;
  let outcome: Outcome;
  try {
    await run(new ObjectRunContext(scope, session, remains, writeSignal) as unknown as AnyContext);
    outcome = remains.outcome;
  } catch (error) {
    outcome = failed(error);
  }
  if (session.available && !writeSignal.aborted) {
    try {
      // A terminating object needs no observedGeneration.
      const completed = (outcome.kind === "done" || outcome.kind === "requeue") && run === controller.reconcile;
      await session.save({ completed, signal: writeSignal });
    } catch (error) {
      // The error of the run matters more; the next run writes the status.
      if (outcome.kind === "done" || outcome.kind === "requeue") outcome = failed(error);
      else environment.logger.warn({ err: error }, "Cannot write the status after a failed reconcile");
    }
  }
  for (const event of remains.events) await event;
  return outcome;
}

function statusWritten(
  { controller, object, fieldConflicts, causes }: RunScope,
  before: JsonObject,
  after: JsonObject,
): void {
  const metadata = objectMeta(object);
  const { generation, uid = "" } = metadata;
  // A removed field counts as changed too.
  let status = after;
  for (const name of Object.keys(before)) if (!Object.hasOwn(after, name)) status = { ...status, [name]: null };
  fieldConflicts.corrected({
    kind: controller.kind.id,
    key: formatKey(keyOf({ metadata })),
    uid,
    fields: changedFields(".status", before, status),
    suspect: undefined,
    generation,
    causes,
  });
}
