import { setMaxListeners } from "node:events";
import { systemClock } from "@kubewright/core/clock";
import { isNotFound, OperatorError } from "@kubewright/core/errors";
import { durationMs } from "@kubewright/core/meta";
import type { Informer } from "../cache/index.js";
import type { Client } from "../client/index.js";
import type { AnyKind } from "../definition/index.js";
import type { RecordedRun } from "../history/index.js";
import { type AnyController, CachedKinds, type ControllerLoop } from "../reconcile/index.js";
import {
  type AssembledOperator,
  assembleOperator,
  type ElectionMaker,
  type OperatorParts,
} from "./assemble-operator.js";
import { clustersOf } from "./cluster-set.js";
import { compareDefinitions, type PrunedKind } from "./compare-definitions.js";
import type { RunFilter, RunningOperator } from "./running-operator.js";
import type { StartCluster, StartOptions } from "./start-options.js";
import type { TaskRunner } from "./task-runner.js";

/** See {@link RunningOperator}. */
export class StartedOperator implements RunningOperator {
  readonly #parts: OperatorParts;
  readonly #abandoned = new AbortController();
  readonly #lost: AbortSignal;
  #elected: Promise<void> = Promise.resolve();
  /** Whether controllers have been started: those that are added later start at once. */
  #working = false;
  #stopped: Promise<readonly string[]> | undefined;
  #compared: Promise<readonly PrunedKind[]> = Promise.resolve([]);

  private constructor(parts: OperatorParts) {
    this.#parts = parts;
    const { signal } = this.#abandoned;
    this.#lost = parts.election === undefined ? signal : AbortSignal.any([signal, parts.election.leadership.lost]);
    // Each controller adds a listener: many at once are no leak.
    setMaxListeners(0, signal, this.#lost);
  }

  /** See `Operator.start`. `makeElection` is for leases that are renewed on another thread. */
  static async start(
    operator: AssembledOperator,
    options: StartOptions,
    makeElection?: ElectionMaker,
  ): Promise<StartedOperator> {
    const parts = await assembleOperator(operator, options, makeElection);
    const running = new StartedOperator(parts);
    const { host } = options.transport;
    const version = host === undefined ? undefined : serverVersion(parts.client, options.signal);
    try {
      await running.#begin(options);
    } catch (error) {
      await running.stop();
      throw error;
    }
    running.#compareDefinitions();
    parts.logger.info(
      {
        ...(host !== undefined && { server: host, version: await version }),
        controllers: parts.loops.map(({ controller }) => controller.name),
      },
      "Operator started",
    );
    return running;
  }

  async add(controller: AnyController): Promise<void> {
    const loop = await this.#newLoop(controller, "add");
    this.#parts.loops.push(loop);
    await this.#startLate(loop);
  }

  async replace(controller: AnyController): Promise<void> {
    const { loops } = this.#parts;
    // The new loop holds the caches before the old one releases them: those that both read stay synced.
    const loop = await this.#newLoop(controller, "replace");
    const index = loops.findIndex((other) => other.controller.name === controller.name);
    const [replaced] = index < 0 ? [] : loops.splice(index, 1, loop);
    await replaced?.stop();
    await this.#startLate(loop);
  }

  async remove(controllerName: string): Promise<void> {
    const { loops, forget } = this.#parts;
    const index = loops.findIndex(({ controller }) => controller.name === controllerName);
    const [removed] = index < 0 ? [] : loops.splice(index, 1);
    if (removed === undefined) return;
    await removed.stop();
    forget(removed.controller);
  }

  addCluster(name: string, cluster: StartCluster): void {
    this.#parts.clusters.add(name, cluster);
  }

  async removeCluster(name: string): Promise<void> {
    const { loops, clusters } = this.#parts;
    const concerned = loops.filter(({ controller }) => clustersOf(controller).has(name));
    await Promise.all(concerned.map(({ controller }) => this.remove(controller.name)));
    clusters.remove(name);
  }

  get elected(): Promise<void> {
    return this.#elected;
  }

  get leading(): boolean {
    return this.#parts.election?.leadership.leading ?? true;
  }

  get ownedShards(): number {
    return this.#parts.sharding?.ownedShards ?? 0;
  }

  get lost(): AbortSignal {
    return this.#lost;
  }

  get synced(): boolean {
    return this.#parts.informers.synced;
  }

  get idle(): boolean {
    const { informers, loops } = this.#parts;
    return (
      loops.every((loop) => (loop.queue.idle && loop.eventsPending === 0) || loop.busy().length === 0) &&
      !informers.all.some(isReading)
    );
  }

  busy(): string[] {
    const { informers, loops } = this.#parts;
    const reading = informers.all.filter(isReading);
    return [
      ...reading.map((informer) => `the cache of ${informer.kind.kind} is at "${informer.state.kind}"`),
      ...loops.flatMap((loop) => loop.busy()),
    ];
  }

  failing(): { readonly controller: string; readonly key: string; readonly error: Error }[] {
    return this.#parts.loops.flatMap(({ controller, failing }) => {
      return [...failing].map(([key, error]) => ({ controller: controller.name, key, error }));
    });
  }

  prunedFields(): Promise<readonly PrunedKind[]> {
    return this.#compared;
  }

  /** The controllers that it runs now. */
  get controllers(): readonly AnyController[] {
    return this.#parts.loops.map(({ controller }) => controller);
  }

  runsOf({ controller, kind, key }: RunFilter): readonly RecordedRun[] {
    const { history } = this.#parts;
    return (
      history?.find(
        (object) =>
          (controller === undefined || object.controller === controller) &&
          (kind === undefined || object.kind === kind) &&
          (key === undefined || object.key === key),
      ) ?? []
    );
  }

  get runs(): number {
    return this.#parts.loops.reduce((sum, { runs }) => sum + runs, 0);
  }

  /** As in {@link RunningOperator}, without the caches of kinds for which `ignores` returns true. */
  whyNotReady(ignores: (kind: AnyKind) => boolean = () => false): string | undefined {
    if (this.#stopped !== undefined) return "The operator is stopping";
    const { informers, missing, definitions } = this.#parts;
    const isAwaited = ({ kind, lastError }: Informer<AnyKind>): boolean =>
      definitions !== undefined && (lastError === undefined ? missing.has(kind.id) : isNotFound(lastError));
    // A cache that retries after a failure is as stale as one in backoff.
    const isStale = ({ synced, idle, state, lastError }: Informer<AnyKind>): boolean =>
      !synced || state.kind === "backoff" || (lastError !== undefined && !idle);
    const failing = informers.all.find(
      (informer) => isStale(informer) && !isAwaited(informer) && !ignores(informer.kind),
    );
    if (failing === undefined) return undefined;
    const reason = failing.lastError instanceof Error ? failing.lastError.message : "it has not synced";
    return `The cache of ${failing.kind.kind} is not up to date: ${reason}`;
  }

  get unhealthy(): string | undefined {
    for (const { unhealthy } of this.#parts.loops) if (unhealthy !== undefined) return unhealthy;
    return undefined;
  }

  stop(): Promise<void> {
    return this.stopWithin(30_000).then(() => {});
  }

  /** As {@link stop}; resolves with the runs that have not returned within the grace period. Only the first call's period counts. */
  stopWithin(graceMs: number): Promise<readonly string[]> {
    this.#stopped ??= this.#stop(graceMs);
    return this.#stopped;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  async abandon(reason: Error): Promise<void> {
    this.#abandoned.abort(reason);
    this.#parts.informersEnd.abort(reason);
    const { informersEnded, election, definitions, sharding } = this.#parts;
    await Promise.all([informersEnded, election?.abandon(), definitions?.stop(), sharding?.abandon(), this.#compared]);
  }

  async #newLoop(controller: AnyController, verb: "add" | "replace"): Promise<ControllerLoop> {
    const { name, informers, loops, makeLoop, requireKinds } = this.#parts;
    const fail = (why: string) =>
      new OperatorError(
        "CONFIG_INVALID",
        `Cannot ${verb} controller "${controller.name}" ${verb === "add" ? "to" : "in"} operator "${name}": ${why}`,
      );
    this.#parts.clusters.require(controller);
    await requireKinds(new CachedKinds(controller).all.map(({ kind }) => kind));
    await informers.manage(controller.children.map(({ kind }) => kind));
    if (this.#stopped !== undefined || this.#lost.aborted) throw fail("it has stopped");
    const isKnown = loops.some((loop) => loop.controller.name === controller.name);
    if (isKnown !== (verb === "replace")) throw fail(isKnown ? "the name is taken" : "it has no such controller");
    return makeLoop(controller);
  }

  /** Starts a controller that was added after the start; removes it when it cannot start. */
  async #startLate(loop: ControllerLoop): Promise<void> {
    const { controller } = loop;
    if (!this.#working && !controller.onEveryReplica) return;
    try {
      await loop.start(this.#lost);
    } catch (error) {
      await this.remove(controller.name);
      throw error;
    }
  }

  async #begin({ clock = systemClock, cacheSyncTimeout = "2m", signal }: StartOptions): Promise<void> {
    const timeoutMs = durationMs("cacheSyncTimeout", cacheSyncTimeout);
    signal?.throwIfAborted();
    let timer: { cancel(): void } | undefined;
    let onAbort = (): void => {};
    const interrupted = new Promise<never>((_, reject) => {
      timer = clock.startTimer(timeoutMs, () => {
        reject(
          new OperatorError(
            "CONFIG_INVALID",
            `Cannot start operator "${this.#parts.name}" within ${timeoutMs / 1_000} s: ${this.whyNotReady() ?? "it is slow"}`,
          ),
        );
      });
      onAbort = () => reject(signal?.reason);
      signal?.addEventListener("abort", onAbort, { once: true });
    });
    const { election, informers, logger, missing, sharding } = this.#parts;
    if (missing.size > 0) logger.warn({ kinds: [...missing] }, "Kinds are not served yet, their controllers wait");
    const expected = informers.all.filter(({ kind }) => !missing.has(kind.id));
    const synced = election === undefined ? [] : expected.map((informer) => informer.whenSynced());
    const begun = this.#startLoops(({ controller }) => election === undefined || controller.onEveryReplica);
    this.#working = election === undefined;
    try {
      await Promise.race([interrupted, Promise.all([...synced, begun])]);
    } finally {
      timer?.cancel();
      signal?.removeEventListener("abort", onAbort);
    }
    this.#startTasks(({ task }) => election === undefined || task.onEveryReplica === true);
    if (election === undefined) return;
    logger.info({ identity: election.identity }, "Caches synced, waiting for the Lease");
    this.#elected = election.leadership.acquired.then(async () => {
      this.#working = true;
      await this.#startLoops(({ controller }) => !controller.onEveryReplica);
      this.#startTasks(() => true);
      this.#lost.throwIfAborted();
      if (this.#stopped !== undefined)
        throw new OperatorError("STOPPED", `Cannot continue: operator "${this.#parts.name}" is stopping`);
      logger.info(
        { identity: election.identity },
        sharding ? "Operator takes part in sharding" : "Operator is the leader",
      );
      sharding?.start();
    });
    // Callers that do not await it observe a loss by `lost`.
    this.#elected.catch(() => {});
    election.start();
  }

  /** Beside the work: the result is a warning. */
  #compareDefinitions(): void {
    const { loops, client, logger, informersEnd } = this.#parts;
    const kinds = loops.flatMap(({ controller: { kind, owns, manages } }) =>
      kind === undefined ? owns : [kind, ...owns, ...manages],
    );
    this.#compared = compareDefinitions(kinds, { client, logger, signal: informersEnd.signal });
  }

  /** Starts those that have not started yet. */
  #startTasks(wanted: (runner: TaskRunner) => boolean): void {
    if (this.#stopped !== undefined) return;
    for (const runner of this.#parts.tasks.filter(wanted)) runner.start(this.#lost);
  }

  async #startLoops(wanted: (loop: ControllerLoop) => boolean): Promise<void> {
    if (this.#stopped !== undefined) return;
    await Promise.all(this.#parts.loops.filter(wanted).map((loop) => this.#startLoop(loop)));
  }

  async #startLoop(loop: ControllerLoop): Promise<void> {
    const { missing, logger } = this.#parts;
    const started = loop.start(this.#lost);
    if (!new CachedKinds(loop.controller).all.some(({ kind }) => missing.has(kind.id))) return started;
    const controller = loop.controller.name;
    started.then(
      () => logger.info({ controller }, "Controller started, its kinds are served now"),
      (err: unknown) => logger.debug({ controller, err }, "Controller stopped before its kinds were served"),
    );
  }

  async #stop(graceMs: number): Promise<readonly string[]> {
    const { loops, tasks, informersEnd, informersEnded, election, logger, definitions, sharding } = this.#parts;
    const left = await Promise.all([
      ...loops.map(async (loop) =>
        (await loop.stop(graceMs)).map((key) => `controller "${loop.controller.name}" for "${key}"`),
      ),
      ...tasks.map(async (runner) => ((await runner.stop(graceMs)) ? [] : [`task "${runner.task.name}"`])),
    ]);
    const runs = left.flat();
    if (runs.length > 0) {
      // They may still act: the lease expires instead of being released.
      const why = `Cannot stop operator "${this.#parts.name}" within ${graceMs / 1_000} s: a run ignores its signal: ${runs.join(", ")}`;
      await this.abandon(new OperatorError("STOPPED", why));
      return runs;
    }
    await sharding?.release();
    informersEnd.abort(new OperatorError("STOPPED", `Cannot continue: operator "${this.#parts.name}" is stopping`));
    await Promise.all([informersEnded, definitions?.stop(), this.#compared]);
    await election?.release();
    logger.info({}, "Operator stopped");
    return [];
  }
}

/** Whether a cache is reading: one in backoff is idle. */
function isReading(informer: Informer<AnyKind>): boolean {
  return !informer.idle && informer.state.kind !== "backoff";
}

/** For the log: a server that does not report its version is no reason to fail. */
function serverVersion(client: Client, signal: AbortSignal | undefined): Promise<string> {
  return client.version(signal === undefined ? {} : { signal }).then(
    ({ gitVersion }) => gitVersion,
    () => "unknown",
  );
}
