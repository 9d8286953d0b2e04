import type { CachedClient } from "../cache/index.js";
import type { Trace } from "../client/index.js";
import type { Cause } from "../route/index.js";
import type { EventRecorder } from "../status/index.js";
import type { Access } from "./access.js";
import { Actions } from "./actions.js";
import { failed, type Outcome } from "./outcome.js";
import type { AnyRawContext, RawController } from "./raw-controller.js";
import { Reader } from "./reader.js";
import { eventOf, RunContext } from "./run-context.js";
import type { RunEnvironment } from "./run-environment.js";
import { RunRemains } from "./run-remains.js";
import type { WorkerOptions } from "./worker.js";

/** What all runs of a raw controller share. */
export interface RawServices {
  readonly controller: RawController;
  readonly access: Access;
  readonly client: CachedClient;
  readonly recorder: EventRecorder;
  readonly trace: Trace | undefined;
  /** Aborts when nothing may be written any more. */
  readonly writeSignal: AbortSignal;
}

/** The runs of a raw controller. */
export function rawRuns(services: RawServices): WorkerOptions["runOf"] {
  return (entry) => (environment) => runRaw(services, entry, environment);
}

/** A key of the queue, and why it is reconciled. */
interface RawEntry {
  readonly key: string;
  readonly causes: readonly Cause[];
}

/** Reconciles one key once. Never rejects. */
async function runRaw(services: RawServices, entry: RawEntry, environment: RunEnvironment): Promise<Outcome> {
  const { trace, controller } = services;
  const { key, causes } = entry;
  trace?.("reconcile", {
    kind: "",
    key,
    what: "reconcile",
    reconcileId: environment.reconcileId,
    controller: controller.name,
    causes,
  });
  const remains = new RunRemains();
  let outcome: Outcome;
  try {
    await controller.reconcile(new RawRunContext(services, entry, environment, remains));
    outcome = remains.outcome;
  } catch (error) {
    outcome = failed(error);
  }
  for (const event of remains.events) await event;
  return outcome;
}

class RawRunContext extends RunContext implements AnyRawContext {
  readonly key: string;
  readonly get: AnyRawContext["get"];
  readonly find: AnyRawContext["find"];
  readonly list: AnyRawContext["list"];
  readonly apply: AnyRawContext["apply"];
  readonly create: AnyRawContext["create"];
  readonly patch: AnyRawContext["patch"];
  readonly delete: AnyRawContext["delete"];
  readonly patchStatus: AnyRawContext["patchStatus"];
  readonly evict: AnyRawContext["evict"];
  readonly bind: AnyRawContext["bind"];
  readonly event: AnyRawContext["event"];

  constructor(
    { controller, access, client, recorder, writeSignal }: RawServices,
    { key, causes }: RawEntry,
    environment: RunEnvironment,
    remains: RunRemains,
  ) {
    super(environment, causes, remains);
    const { fieldManager } = controller;
    const scope = { access, client, environment };
    const reader = new Reader(scope, "");
    const actions = new Actions(scope, fieldManager, "");
    this.key = key;
    this.get = (kind, name) => reader.get(kind, name);
    this.find = (kind, name) => reader.find(kind, name);
    this.list = (kind, options) => reader.list(kind, options);
    this.apply = async (kind, object) => {
      access.mustAllow("create", kind);
      access.mustAllow("patch", kind);
      return client.apply(kind, object, { fieldManager, signal: environment.requestSignal, force: true });
    };
    this.create = async (kind, object) => {
      access.mustAllow("create", kind);
      return client.create(kind, object, { fieldManager, signal: environment.requestSignal });
    };
    this.patch = (kind, name, patch) => actions.patch(kind, name, patch);
    this.delete = (kind, name, options) => actions.delete(kind, name, options);
    this.patchStatus = (kind, name, patch) => actions.patchStatus(kind, name, patch);
    this.evict = (kind, name) => actions.evict(kind, name);
    this.bind = (kind, name, node) => actions.bind(kind, name, node);
    this.event = (kind, object, ...event) => {
      access.mustAllow("get", kind);
      remains.record(recorder.record(kind, object, eventOf(...event), writeSignal));
    };
  }
}
