import { formatKey, keyOf } from "@kubewright/core/identity";
import { objectMeta } from "../client/index.js";
import type { AnyKind, ReadOf } from "../definition/index.js";
import type { Cause } from "../route/index.js";
import { StatusSession } from "../status/index.js";
import { Actions } from "./actions.js";
import { Children } from "./children.js";
import type { AnyContext } from "./context.js";
import type { Controller } from "./controller.js";
import { disputedFields } from "./disputed-fields.js";
import { addFinalizer, hasFinalizer, removeFinalizer } from "./finalizer.js";
import { failed, type Outcome, type RequeueAfter, requeueAfterOf } from "./outcome.js";
import { Reader } from "./reader.js";
import type { RunEnvironment } from "./run-environment.js";
import { type RunScope, type RunServices, traceRun } from "./run-scope.js";

/** One run that is to be made. */
export interface RunInput {
  readonly object: ReadOf<AnyKind>;
  readonly causes: readonly Cause[];
  readonly environment: RunEnvironment;
  /** Aborts when nothing may be written any more: lost lease. Until then the status is still written. */
  readonly writeSignal: AbortSignal;
}

/**
 * Reconciles one object once. Never rejects.
 *
 * 1. An object that is being deleted: `finalize` while our finalizer holds it, then the finalizer is removed. `reconcile` where only others
 *    hold it and the controller wants to look at such objects too.
 * 2. Otherwise: the finalizer is added where there is a `finalize`, and removed where there is none any more.
 * 3. `reconcile`; then the status is written, also after a throw; then the outcome is told.
 */
export async function runOnce(services: RunServices, input: RunInput): Promise<Outcome> {
  const { controller } = services;
  const { object, causes, environment } = input;
  const scope: RunScope = { ...services, object, causes, environment };
  const deleting = objectMeta(object).deletionTimestamp !== undefined;
  if (scope.trace !== undefined) {
    const key = formatKey(keyOf({ metadata: objectMeta(object) }));
    traceRun(scope, "reconcile", controller.kind, key, deleting ? "finalize" : "reconcile");
  }
  try {
    return deleting ? await runDeletion(scope, input) : await runReconcile(scope, input);
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
  // Gone, or on its way out: a change will tell.
  if (object === undefined || objectMeta(object).deletionTimestamp !== undefined) return { kind: "done" };
  return execute({ ...scope, object }, input, reconcile);
}

async function execute(scope: RunScope, input: RunInput, run: Controller["reconcile"]): Promise<Outcome> {
  const { controller, client, clock, recorder, environment, trace } = scope;
  const session = new StatusSession({
    kind: controller.kind,
    object: scope.object,
    client,
    clock,
    fieldManager: controller.fieldManager,
    environment,
    onWrite: (before, after) => {
      const metadata = objectMeta(scope.object);
      // A field that goes was given a value too: none.
      const removed = Object.keys(before).flatMap((name) =>
        Object.hasOwn(after, name) ? [] : [[name, null] as const],
      );
      const status = { ...Object.fromEntries(removed), ...after };
      const fields = disputedFields({ status: before }, { status }, controller.fieldManager);
      const { generation, uid = "" } = metadata;
      const object = { kind: controller.kind.id, key: formatKey(keyOf({ metadata })), uid };
      scope.fights.corrected({ ...object, fields, suspect: undefined, generation, causes: scope.causes });
    },
    ...(trace === undefined ? {} : { trace }),
  });
  const events: Promise<void>[] = [];
  let requeue: RequeueAfter | undefined;
  const children = new Children(scope);
  const { namespace = "" } = objectMeta(scope.object);
  const reader = new Reader(scope, namespace);
  const actions = new Actions(scope, controller.fieldManager, namespace);
  const save = (completed: boolean) => session.save({ completed, signal: input.writeSignal });
  const context: ErasedContext = {
    object: scope.object,
    apply: (kind, child, options) => children.apply(kind, child as never, options),
    create: (kind, object) => children.create(kind, object as never),
    patch: (kind, name, patch) => children.patch(kind, name as never, patch),
    delete: (kind, name, options) => children.delete(kind, name as never, options),
    adopt: (kind, name) => children.adopt(kind, name as never),
    release: (kind, name) => children.release(kind, name as never),
    patchStatus: (kind, name, patch) => actions.patchStatus(kind, name as never, patch),
    evict: (kind, name) => actions.evict(kind, name as never),
    bind: (kind, name, node) => actions.bind(kind, name as never, node),
    prune: (...kinds) => children.prune(kinds),
    get: (kind, name) => reader.get(kind, name as never),
    find: (kind, name) => reader.find(kind, name as never),
    list: (kind, options) => reader.list(kind, options),
    // A kind without a status has none here either: touching it fails in the run, not silently on the server.
    ...(session.available
      ? { status: session.draft, saveStatus: () => save(false), conditions: session.conditions }
      : absentStatus),
    event: (type, reason, note, options = {}) => {
      const event = { type, reason, note, ...options };
      events.push(recorder.record(controller.kind, scope.object, event, input.writeSignal));
    },
    requeueAfter: (delay) => {
      const asked = requeueAfterOf(delay);
      if (requeue === undefined || asked.afterMs < requeue.afterMs) requeue = asked;
      return asked;
    },
    get signal() {
      return environment.signal;
    },
    get log() {
      return environment.logger;
    },
    causes: input.causes,
    clock,
  };

  let outcome: Outcome;
  try {
    await run(context as unknown as AnyContext);
    outcome = requeue === undefined ? { kind: "done" } : { kind: "requeue", afterMs: requeue.afterMs };
  } catch (error) {
    outcome = failed(error);
  }
  if (session.available && !input.writeSignal.aborted) {
    try {
      // An object on its way out has no use for the generation that was observed last.
      await save((outcome.kind === "done" || outcome.kind === "requeue") && run === controller.reconcile);
    } catch (error) {
      // What the run itself failed with matters more; the status is written by the next one.
      if (outcome.kind === "done" || outcome.kind === "requeue") outcome = failed(error);
      else environment.logger.warn({ err: error }, "Status could not be written after a failed run");
    }
  }
  await Promise.all(events);
  return outcome;
}

const absentStatus = { status: undefined, saveStatus: undefined, conditions: undefined };

/** The context as it is made: what the types of a controller narrow. */
type ErasedContext = {
  readonly [Name in keyof AnyContext]: Name extends "status" | "conditions" | "saveStatus" ? unknown : AnyContext[Name];
};
