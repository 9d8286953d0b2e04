import type { Clock } from "@kubewright/core/clock";
import type { Logger } from "@kubewright/core/log";
import type { Duration } from "@kubewright/core/meta";
import { objectMeta, resolveName } from "../client/index.js";
import { type Cause, shownCause } from "../route/index.js";
import type { EventType, RecordedEvent, StatusSession } from "../status/index.js";
import { Actions } from "./actions.js";
import type { AnyController } from "./cached-kinds.js";
import { Children } from "./children.js";
import type { AnyContext } from "./context.js";
import type { RequeueAfter, RequeueOptions } from "./outcome.js";
import type { AnyRawContext, RawController } from "./raw-controller.js";
import { Reader } from "./reader.js";
import type { Run } from "./run.js";
import { waitInCache } from "./wait-in-cache.js";

/**
 * What the user's function receives of a run, of whichever controller.
 *
 * `causes`, `signal` and `log` are created on first use. They are own properties, because contexts are destructured (`{ object, ...rest }`); their
 * getters are shared, because per-object getters would give each context its own hidden class in V8, which is slow to read.
 */
class RunContext {
  declare readonly causes: readonly Cause[];
  declare readonly signal: AbortSignal;
  declare readonly log: Logger;
  readonly clock: Clock;
  readonly requeueAfter: (delay: Duration | 0, options?: RequeueOptions) => RequeueAfter;
  readonly #run: Run<AnyController>;
  #shownCauses: readonly Cause[] | undefined;
  static readonly #causesShown: PropertyDescriptor & ThisType<RunContext> = {
    enumerable: true,
    get() {
      this.#shownCauses ??= this.#run.causes.map(shownCause);
      return this.#shownCauses;
    },
  };
  static readonly #signal: PropertyDescriptor & ThisType<RunContext> = {
    enumerable: true,
    get() {
      return this.#run.signal;
    },
  };
  static readonly #log: PropertyDescriptor & ThisType<RunContext> = {
    enumerable: true,
    get() {
      return this.#run.userLogger;
    },
  };

  constructor(run: Run<AnyController>) {
    this.#run = run;
    this.clock = run.services.clock;
    this.requeueAfter = (delay, options) => run.requeueAfter(delay, options);
    Object.defineProperty(this, "causes", RunContext.#causesShown);
    Object.defineProperty(this, "signal", RunContext.#signal);
    Object.defineProperty(this, "log", RunContext.#log);
  }
}

/** The members that a controller's types narrow. */
type Erased = {
  readonly [Name in keyof AnyContext]: Name extends "status" | "conditions" | "saveStatus" ? unknown : AnyContext[Name];
};

/** What `reconcile` and `finalize` of a controller receive. */
export class ObjectContext extends RunContext implements Erased {
  readonly object: Erased["object"];
  readonly apply: Erased["apply"];
  readonly create: Erased["create"];
  readonly ensure: Erased["ensure"];
  readonly patch: Erased["patch"];
  readonly delete: Erased["delete"];
  readonly adopt: Erased["adopt"];
  readonly release: Erased["release"];
  readonly patchStatus: Erased["patchStatus"];
  readonly evict: Erased["evict"];
  readonly bind: Erased["bind"];
  readonly update: Erased["update"];
  readonly scale: Erased["scale"];
  readonly getScale: Erased["getScale"];
  readonly logs: Erased["logs"];
  readonly exec: Erased["exec"];
  readonly token: Erased["token"];
  readonly prune: Erased["prune"];
  readonly get: Erased["get"];
  readonly find: Erased["find"];
  readonly list: Erased["list"];
  readonly waitFor: Erased["waitFor"];
  readonly status: unknown;
  readonly saveStatus: unknown;
  readonly conditions: unknown;
  readonly event: Erased["event"];

  constructor(run: Run, session: StatusSession) {
    super(run);
    const { object } = run;
    const { controller, recorder, writeSignal } = run.services;
    const { namespace = "" } = objectMeta(object);
    const children = new Children(run);
    const reader = new Reader(run, namespace);
    const actions = new Actions(run, namespace);
    this.object = object;
    this.apply = (kind, child, options) => run.call("apply", () => children.apply(kind, child as never, options));
    this.create = (kind, child) => run.write("create", kind, () => children.create(kind, child as never));
    this.ensure = (kind, name, initial) =>
      run.call("ensure", () => children.ensure(kind, name as never, initial as never));
    this.patch = (kind, name, patch) => run.write("patch", kind, () => children.patch(kind, name as never, patch));
    this.delete = (kind, name, options) =>
      run.write("delete", kind, () => children.delete(kind, name as never, options));
    this.adopt = (kind, name) => run.call("adopt", () => children.adopt(kind, name as never));
    this.release = (kind, name) => run.call("release", () => children.release(kind, name as never));
    this.patchStatus = (kind, name, patch) =>
      run.write("patchStatus", kind, () => actions.patchStatus(kind, name as never, patch));
    this.evict = (kind, name) => run.call("evict", () => actions.evict(kind, name as never));
    this.bind = (kind, name, node) => run.call("bind", () => actions.bind(kind, name as never, node));
    this.update = (kind, object) => run.write("update", kind, () => actions.update(kind, object));
    this.scale = (kind, name, replicas) => run.call("scale", () => actions.scale(kind, name as never, replicas));
    this.getScale = (kind, name) => run.call("getScale", () => actions.getScale(kind, name as never));
    this.logs = (kind, name, options) => run.call("logs", () => actions.logs(kind, name as never, options));
    this.exec = (kind, name, options) => run.call("exec", () => actions.exec(kind, name as never, options));
    this.token = (kind, name, spec) => run.call("token", () => actions.token(kind, name as never, spec));
    this.prune = (...kinds) => run.call("prune", () => children.prune(kinds));
    this.get = (kind, name) => run.call("get", () => reader.get(kind, name as never));
    this.find = (kind, name) => run.read("find", kind, () => reader.find(kind, name as never));
    this.list = (kind, options) => run.read("list", kind, () => reader.list(kind, options));
    this.waitFor = (kind, name, options) =>
      run.call("waitFor", () => waitInCache(run, kind, resolveName(kind, name as never, namespace), options));
    // A kind without a status has no draft: a write throws in the run instead of being dropped by the server.
    this.status = session.available ? session.draft : undefined;
    this.saveStatus = session.available
      ? () => run.call("saveStatus", () => session.save({ completed: false, signal: writeSignal }))
      : undefined;
    this.conditions = session.available ? session.conditions : undefined;
    this.event = (...event) => {
      run.mustRun("record an event");
      recorder.record(controller.kind, object, eventOf(...event));
    };
  }
}

/** What `reconcile` of a raw controller receives. */
export class RawKeyContext extends RunContext implements AnyRawContext {
  readonly key: string;
  readonly get: AnyRawContext["get"];
  readonly find: AnyRawContext["find"];
  readonly list: AnyRawContext["list"];
  readonly waitFor: AnyRawContext["waitFor"];
  readonly apply: AnyRawContext["apply"];
  readonly create: AnyRawContext["create"];
  readonly patch: AnyRawContext["patch"];
  readonly delete: AnyRawContext["delete"];
  readonly patchStatus: AnyRawContext["patchStatus"];
  readonly evict: AnyRawContext["evict"];
  readonly bind: AnyRawContext["bind"];
  readonly update: AnyRawContext["update"];
  readonly scale: AnyRawContext["scale"];
  readonly getScale: AnyRawContext["getScale"];
  readonly logs: AnyRawContext["logs"];
  readonly exec: AnyRawContext["exec"];
  readonly token: AnyRawContext["token"];
  readonly event: AnyRawContext["event"];

  constructor(run: Run<RawController>) {
    super(run);
    const { access, recorder } = run.services;
    const reader = new Reader(run, "");
    const actions = new Actions(run, "");
    this.key = run.key;
    this.get = (kind, name) => run.call("get", () => reader.get(kind, name));
    this.find = (kind, name) => run.read("find", kind, () => reader.find(kind, name));
    this.list = (kind, options) => run.read("list", kind, () => reader.list(kind, options));
    this.waitFor = (kind, name, options) =>
      run.call("waitFor", () => waitInCache(run, kind, resolveName(kind, name, ""), options));
    this.apply = (kind, object) => run.write("apply", kind, () => actions.apply(kind, object));
    this.create = (kind, object) => run.write("create", kind, () => actions.create(kind, object));
    this.patch = (kind, name, patch) => run.write("patch", kind, () => actions.patch(kind, name, patch));
    this.delete = (kind, name, options) => run.write("delete", kind, () => actions.delete(kind, name, options));
    this.patchStatus = (kind, name, patch) =>
      run.write("patchStatus", kind, () => actions.patchStatus(kind, name, patch));
    this.evict = (kind, name) => run.call("evict", () => actions.evict(kind, name));
    this.bind = (kind, name, node) => run.call("bind", () => actions.bind(kind, name, node));
    this.update = (kind, object) => run.write("update", kind, () => actions.update(kind, object));
    this.scale = (kind, name, replicas) => run.call("scale", () => actions.scale(kind, name, replicas));
    this.getScale = (kind, name) => run.call("getScale", () => actions.getScale(kind, name));
    this.logs = (kind, name, options) => run.call("logs", () => actions.logs(kind, name, options));
    this.exec = (kind, name, options) => run.call("exec", () => actions.exec(kind, name, options));
    this.token = (kind, name, spec) => run.call("token", () => actions.token(kind, name, spec));
    this.event = (kind, object, ...event) => {
      access.mustAllow("get", kind);
      run.mustRun("record an event");
      recorder.record(kind, object, eventOf(...event));
    };
  }
}

/** An event as it is recorded. */
function eventOf(
  type: EventType,
  reason: string,
  note: string,
  options?: Pick<RecordedEvent, "action" | "related">,
): RecordedEvent {
  return options === undefined ? { type, reason, note } : { type, reason, note, ...options };
}
