import { parseDuration } from "@kubewright/core/meta";
import type { PodStageSpec } from "./pod-stage.js";
import type { ReadContainer, ReadPodSpec } from "./read-objects.js";

/** From when on a pod goes through its stage, and what it was before. */
export interface Epoch {
  readonly atMs: number;
  /** When its containers were started, for one that ran already; undefined for one that has to start. */
  readonly runningSinceMs: number | undefined;
  /** How many times each container had been restarted before. */
  readonly restarts: ReadonlyMap<string, number>;
}

/** A container that has ended. */
export interface Ended {
  readonly startedMs: number;
  readonly endedMs: number;
  readonly exitCode: number;
  readonly reason: string;
}

/** What a container is doing. */
export type ContainerState =
  | { readonly kind: "waiting"; readonly reason: string; readonly message?: string }
  | { readonly kind: "running"; readonly sinceMs: number; readonly ready: boolean }
  | ({ readonly kind: "ended" } & Ended);

/** A container at a moment. */
export interface ContainerMoment {
  readonly name: string;
  readonly state: ContainerState;
  readonly last?: Ended;
  readonly restarts: number;
}

/** A pod's containers at a moment, and when that changes by itself. */
export interface PodMoment {
  readonly inits: readonly ContainerMoment[];
  readonly containers: readonly ContainerMoment[];
  /** Undefined when nothing more happens by itself. */
  readonly nextMs: number | undefined;
}

/** Collects the earliest of the moments that are still to come. */
class NextChange {
  readonly #nowMs: number;
  atMs: number | undefined;

  constructor(nowMs: number) {
    this.#nowMs = nowMs;
  }

  /** Whether a moment has come; if not, it is a candidate for the next change. */
  passed(atMs: number): boolean {
    if (atMs <= this.#nowMs) return true;
    if (this.atMs === undefined || atMs < this.atMs) this.atMs = atMs;
    return false;
  }
}

const second = 1_000;
/** A container that ran so long is restarted at once again, and its pauses begin anew. */
const steadyMs = 600 * second;

/** What the containers of a pod are doing at a moment, by its stage: a pure function of time. */
export function podMoment(spec: ReadPodSpec, stage: PodStageSpec, epoch: Epoch, nowMs: number): PodMoment {
  const next = new NextChange(nowMs);
  const inits = spec.initContainers ?? [];
  const wait = (containers: readonly ReadContainer[], reason: string, message?: string): ContainerMoment[] =>
    containers.map(({ name }) => ({
      name,
      state: { kind: "waiting", reason, ...(message === undefined ? {} : { message }) },
      restarts: epoch.restarts.get(name) ?? 0,
    }));
  const isRunning = epoch.runningSinceMs !== undefined;
  const pulledMs = epoch.atMs + durationOf(stage.pull?.delay);
  const beforeInits = inits.length > 0 ? "PodInitializing" : "ContainerCreating";
  if (!isRunning && (stage.pull?.fails === true || !next.passed(pulledMs))) {
    const reason = stage.pull?.fails === true ? pullFailure(pulledMs, nowMs, next) : "ContainerCreating";
    const pulling = (one: ReadContainer) => wait([one], reason, pullMessage(reason, one.image ?? ""));
    // Init containers come one after the other, the others all at once.
    const [first, ...later] = inits;
    if (first === undefined) return { inits: [], containers: spec.containers.flatMap(pulling), nextMs: next.atMs };
    return {
      inits: [...pulling(first), ...wait(later, "PodInitializing")],
      containers: wait(spec.containers, "PodInitializing"),
      nextMs: next.atMs,
    };
  }
  const startMs = epoch.runningSinceMs ?? pulledMs;
  const initMoments: ContainerMoment[] = [];
  let isInitialised = true;
  for (const init of inits) {
    if (!isInitialised) initMoments.push(...wait([init], "PodInitializing"));
    else if (init.restartPolicy === "Always")
      initMoments.push({ name: init.name, state: { kind: "running", sinceMs: startMs, ready: true }, restarts: 0 });
    else if (stage.run?.container === init.name && !isRunning) {
      const moment = cycles(init.name, spec, stage, epoch, startMs, next, "completes");
      initMoments.push(moment);
      isInitialised = moment.state.kind === "ended" && moment.state.exitCode === 0;
    } else initMoments.push(completed(init.name, startMs));
  }
  if (!isInitialised)
    return { inits: initMoments, containers: wait(spec.containers, "PodInitializing"), nextMs: next.atMs };
  const startedMs = epoch.runningSinceMs ?? pulledMs + durationOf(stage.start?.delay);
  if (!isRunning && !next.passed(startedMs))
    return { inits: initMoments, containers: wait(spec.containers, beforeInits), nextMs: next.atMs };
  const containers = spec.containers.map(({ name }) =>
    stage.run !== undefined && (stage.run.container ?? name) === name
      ? cycles(name, spec, stage, epoch, isRunning ? epoch.atMs : startedMs, next, "stays")
      : running(name, stage, startedMs, epoch, next),
  );
  return { inits: initMoments, containers, nextMs: next.atMs };
}

/** A container that ends again and again, as often as its stage and the pod's restart policy let it. */
function cycles(
  name: string,
  spec: ReadPodSpec,
  stage: PodStageSpec,
  epoch: Epoch,
  firstMs: number,
  next: NextChange,
  atLast: "stays" | "completes",
): ContainerMoment {
  const {
    exitCode = 0,
    reason = exitCode === 0 ? "Completed" : "Error",
    times = Number.POSITIVE_INFINITY,
  } = stage.run ?? {};
  const forMs = durationOf(stage.run?.for);
  const before = epoch.restarts.get(name) ?? 0;
  const policy = spec.restartPolicy ?? "Always";
  const isInit = atLast === "completes";
  const restarts = exitCode === 0 ? policy === "Always" && !isInit : policy !== "Never";
  let startedMs = firstMs;
  let last: Ended | undefined;
  for (let round = 0; ; round++) {
    const ended: Ended = { startedMs, endedMs: startedMs + forMs, exitCode, reason };
    const counted = { restarts: before + round, ...(last === undefined ? {} : { last }) };
    if (round >= times && isInit) return { ...completed(name, startedMs), ...counted };
    if (round >= times) return { ...running(name, stage, startedMs, epoch, next), ...counted };
    if (!next.passed(ended.endedMs)) return { ...running(name, stage, startedMs, epoch, next), ...counted };
    if (!restarts) return { name, state: { kind: "ended", ...ended }, ...counted };
    const pauseMs =
      round === 0 || forMs >= steadyMs ? 0 : Math.min(10 * second * 2 ** Math.min(round - 1, 10), 300 * second);
    startedMs = ended.endedMs + pauseMs;
    if (!next.passed(startedMs)) {
      const message = `back-off ${pauseMs / second}s restarting failed container=${name}`;
      return {
        name,
        state: { kind: "waiting", reason: "CrashLoopBackOff", message },
        last: ended,
        restarts: before + round,
      };
    }
    last = ended;
  }
}

function running(
  name: string,
  { ready: { delay, never = false } = {}, unready }: PodStageSpec,
  sinceMs: number,
  epoch: Epoch,
  next: NextChange,
): ContainerMoment {
  const readyMs = sinceMs + durationOf(delay);
  let ready = !never && next.passed(readyMs);
  if (ready && unready !== undefined) {
    // A stage that begins when the pod is ready already counts from its beginning.
    const fromMs = Math.max(readyMs, epoch.atMs) + durationOf(unready.after);
    const untilMs = unready.for === undefined ? Number.POSITIVE_INFINITY : fromMs + durationOf(unready.for);
    if (next.passed(fromMs)) ready = untilMs !== Number.POSITIVE_INFINITY && next.passed(untilMs);
  }
  return { name, state: { kind: "running", sinceMs, ready }, restarts: epoch.restarts.get(name) ?? 0 };
}

function completed(name: string, atMs: number): ContainerMoment {
  return {
    name,
    state: { kind: "ended", startedMs: atMs, endedMs: atMs, exitCode: 0, reason: "Completed" },
    restarts: 0,
  };
}

/** What the waiting for an image that cannot be pulled is called: each attempt fails, then there is a growing pause. */
function pullFailure(firstMs: number, nowMs: number, next: NextChange): string {
  if (!next.passed(firstMs)) return "ContainerCreating";
  let attemptMs = firstMs;
  for (let round = 0; ; round++) {
    const pauseMs = Math.min(10 * second * 2 ** Math.min(round, 10), 300 * second);
    if (attemptMs + second > nowMs) {
      next.passed(attemptMs + second);
      return "ErrImagePull";
    }
    attemptMs += pauseMs;
    if (!next.passed(attemptMs)) return "ImagePullBackOff";
  }
}

function pullMessage(reason: string, image: string): string | undefined {
  if (reason === "ErrImagePull") return `failed to pull and unpack image "${image}": not found`;
  return reason === "ImagePullBackOff" ? `Back-off pulling image "${image}"` : undefined;
}

function durationOf(text: string | undefined): number {
  return text === undefined ? 0 : parseDuration(text);
}
