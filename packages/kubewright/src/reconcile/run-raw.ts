import type { CachedClient } from "../cache/index.js";
import type { Cause } from "../route/index.js";
import type { EventRecorder } from "../status/index.js";
import type { Access } from "./access.js";
import { Actions } from "./actions.js";
import { failed, type Outcome, type RequeueAfter, requeueAfterOf } from "./outcome.js";
import type { AnyRawContext, RawController } from "./raw-controller.js";
import { Reader } from "./reader.js";
import type { RunEnvironment } from "./run-environment.js";
import type { WorkerOptions } from "./worker.js";

/** What all runs of a raw controller share. */
export interface RawServices {
  readonly controller: RawController;
  readonly access: Access;
  readonly client: CachedClient;
  readonly recorder: EventRecorder;
  /** Aborts when nothing may be written any more. */
  readonly writeSignal: AbortSignal;
}

/** The runs of a raw controller. */
export function rawRuns(services: RawServices): WorkerOptions["runOf"] {
  return (entry) => (environment) => runRaw(services, entry, environment);
}

/** Reconciles one key once. Never rejects. */
async function runRaw(
  { controller, access, client, recorder, writeSignal }: RawServices,
  { key, causes }: { readonly key: string; readonly causes: readonly Cause[] },
  environment: RunEnvironment,
): Promise<Outcome> {
  const reader = new Reader({ access, client, environment }, "");
  const actions = new Actions({ access, client, environment }, controller.fieldManager, "");
  const options = () => ({ fieldManager: controller.fieldManager, signal: environment.requestSignal });
  const events: Promise<void>[] = [];
  let requeue: RequeueAfter | undefined;
  const context: Record<keyof AnyRawContext, unknown> = {
    key,
    get: ((kind, name) => reader.get(kind, name)) satisfies AnyRawContext["get"],
    find: ((kind, name) => reader.find(kind, name)) satisfies AnyRawContext["find"],
    list: ((kind, options) => reader.list(kind, options)) satisfies AnyRawContext["list"],
    apply: (async (kind, object) => {
      access.mustAllow("create", kind);
      access.mustAllow("patch", kind);
      return client.apply(kind, object, { ...options(), force: true });
    }) satisfies AnyRawContext["apply"],
    create: (async (kind, object) => {
      access.mustAllow("create", kind);
      return client.create(kind, object, options());
    }) satisfies AnyRawContext["create"],
    patch: actions.patch.bind(actions),
    delete: actions.delete.bind(actions),
    patchStatus: actions.patchStatus.bind(actions),
    evict: actions.evict.bind(actions),
    bind: actions.bind.bind(actions),
    event: ((kind, object, type, reason, note, more = {}) => {
      access.mustAllow("get", kind);
      events.push(recorder.record(kind, object, { type, reason, note, ...more }, writeSignal));
    }) satisfies AnyRawContext["event"],
    requeueAfter: (delay: string | number) => {
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
    causes,
    clock: environment.clock,
  };
  let outcome: Outcome;
  try {
    await controller.reconcile(context as unknown as AnyRawContext);
    outcome = requeue === undefined ? { kind: "done" } : { kind: "requeue", afterMs: requeue.afterMs };
  } catch (error) {
    outcome = failed(error);
  }
  await Promise.all(events);
  return outcome;
}
