import { objectMeta } from "../client/index.js";
import type { StatusSession } from "../status/index.js";
import { Actions } from "./actions.js";
import { Children } from "./children.js";
import type { AnyContext } from "./context.js";
import { Reader } from "./reader.js";
import { eventOf, RunContext } from "./run-context.js";
import type { RunRemains } from "./run-remains.js";
import type { RunScope } from "./run-scope.js";

/** The members that a controller's types narrow. */
type Erased = {
  readonly [Name in keyof AnyContext]: Name extends "status" | "conditions" | "saveStatus" ? unknown : AnyContext[Name];
};

/** The context of a run on one object. After `writeSignal` aborts it writes neither status nor events. */
export class ObjectRunContext extends RunContext implements Erased {
  readonly object: Erased["object"];
  readonly apply: Erased["apply"];
  readonly create: Erased["create"];
  readonly patch: Erased["patch"];
  readonly delete: Erased["delete"];
  readonly adopt: Erased["adopt"];
  readonly release: Erased["release"];
  readonly patchStatus: Erased["patchStatus"];
  readonly evict: Erased["evict"];
  readonly bind: Erased["bind"];
  readonly prune: Erased["prune"];
  readonly get: Erased["get"];
  readonly find: Erased["find"];
  readonly list: Erased["list"];
  readonly status: unknown;
  readonly saveStatus: unknown;
  readonly conditions: unknown;
  readonly event: Erased["event"];

  constructor(scope: RunScope, session: StatusSession, remains: RunRemains, writeSignal: AbortSignal) {
    super(scope.environment, scope.causes, remains);
    const { object, controller, recorder } = scope;
    const { namespace = "" } = objectMeta(object);
    const children = new Children(scope);
    const reader = new Reader(scope, namespace);
    const actions = new Actions(scope, controller.fieldManager, namespace);
    this.object = object;
    this.apply = (kind, child, options) => children.apply(kind, child as never, options);
    this.create = (kind, child) => children.create(kind, child as never);
    this.patch = (kind, name, patch) => children.patch(kind, name as never, patch);
    this.delete = (kind, name, options) => children.delete(kind, name as never, options);
    this.adopt = (kind, name) => children.adopt(kind, name as never);
    this.release = (kind, name) => children.release(kind, name as never);
    this.patchStatus = (kind, name, patch) => actions.patchStatus(kind, name as never, patch);
    this.evict = (kind, name) => actions.evict(kind, name as never);
    this.bind = (kind, name, node) => actions.bind(kind, name as never, node);
    this.prune = (...kinds) => children.prune(kinds);
    this.get = (kind, name) => reader.get(kind, name as never);
    this.find = (kind, name) => reader.find(kind, name as never);
    this.list = (kind, options) => reader.list(kind, options);
    // A kind without a status has no draft: a write throws in the run instead of being dropped by the server.
    this.status = session.available ? session.draft : undefined;
    this.saveStatus = session.available ? () => session.save({ completed: false, signal: writeSignal }) : undefined;
    this.conditions = session.available ? session.conditions : undefined;
    this.event = (type, reason, note, options) => {
      const event = eventOf(type, reason, note, options);
      remains.record(recorder.record(controller.kind, object, event, writeSignal));
    };
  }
}
