import { isNotFound } from "@kubewright/core/errors";
import type { CachedClient } from "../cache/index.js";
import { nameOfKey, resolveName } from "../client/index.js";
import type { Cause } from "../route/index.js";
import type { Access } from "./access.js";
import { failed, type Outcome, type RequeueAfter, requeueAfterOf } from "./outcome.js";
import type { AnyRawContext, RawController } from "./raw-controller.js";
import { Reader } from "./reader.js";
import type { RunEnvironment, WorkerOptions } from "./worker.js";

/** What all runs of a raw controller share. */
export interface RawServices {
  readonly controller: RawController;
  readonly access: Access;
  readonly client: CachedClient;
}

/** The runs of a raw controller. */
export function rawRuns(services: RawServices): WorkerOptions["runOf"] {
  return (entry) => (environment) => runRaw(services, entry, environment);
}

/** Reconciles one key once. Never rejects. */
async function runRaw(
  { controller, access, client }: RawServices,
  { key, causes }: { readonly key: string; readonly causes: readonly Cause[] },
  { signal, logger, clock }: RunEnvironment,
): Promise<Outcome> {
  const reader = new Reader({ access, client, signal }, "");
  const options = { fieldManager: controller.fieldManager, signal };
  let requeue: RequeueAfter | undefined;
  const context: Record<keyof AnyRawContext, unknown> = {
    key,
    get: reader.get.bind(reader),
    find: reader.find.bind(reader),
    list: reader.list.bind(reader),
    apply: (async (kind, object) => {
      access.mustAllow("create", kind);
      access.mustAllow("patch", kind);
      return client.apply(kind, object, { ...options, force: true });
    }) satisfies AnyRawContext["apply"],
    create: (async (kind, object) => {
      access.mustAllow("create", kind);
      return client.create(kind, object, options);
    }) satisfies AnyRawContext["create"],
    patch: (async (kind, name, patch) => {
      access.mustAllow("patch", kind);
      return client.patch(kind, nameOfKey(resolveName(kind, name, "")), patch, options);
    }) satisfies AnyRawContext["patch"],
    delete: (async (kind, name) => {
      access.mustAllow("delete", kind);
      try {
        await client.delete(kind, nameOfKey(resolveName(kind, name, "")), { signal, propagationPolicy: "Background" });
      } catch (error) {
        if (!isNotFound(error)) throw error;
      }
    }) satisfies AnyRawContext["delete"],
    requeueAfter: (delay: string | number) => {
      const asked = requeueAfterOf(delay);
      if (requeue === undefined || asked.afterMs < requeue.afterMs) requeue = asked;
      return asked;
    },
    signal,
    log: logger,
    causes,
    clock,
  };
  try {
    await controller.reconcile(context as unknown as AnyRawContext);
    return requeue === undefined ? { kind: "done" } : { kind: "requeue", afterMs: requeue.afterMs };
  } catch (error) {
    return failed(error);
  }
}
