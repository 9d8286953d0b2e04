import { parseDuration } from "@kubewright/core/meta";
import type { PodStageSpec } from "./pod-stage.js";
import type { ReadContainer, ReadPodSpec } from "./read-objects.js";

/** When a Pod entered its PodStage, and its state before. */
export interface Epoch {
  readonly atMs: number;
  /** When its containers started, if they were already running; undefined if they have to start. */
  readonly runningSinceMs: number | undefined;
  /** The restart count of each container before. */
  readonly restarts: ReadonlyMap<string, number>;
}

/** A terminated container. */
export interface Terminated {
  readonly startedMs: number;
  readonly finishedMs: number;
  readonly exitCode: number;
  readonly reason: string;
}

/** The state of a container. */
export type ContainerState =
  | { readonly kind: "waiting"; readonly reason: string; readonly message?: string }
  | { readonly kind: "running"; readonly sinceMs: number; readonly ready: boolean }
  | ({ readonly kind: "terminated" } & Terminated);

/** A container at a point in time. */
export interface ContainerSnapshot {
  readonly name: string;
  readonly state: ContainerState;
  readonly last?: Terminated;
  readonly restarts: number;
}

/** The containers of a Pod at a point in time, and when their state changes next. */
export interface PodSnapshot {
  readonly inits: readonly ContainerSnapshot[];
  readonly containers: readonly ContainerSnapshot[];
  /** Undefined if the state does not change any more. */
  readonly nextMs: number | undefined;
}

const second = 1_000;
/** A container that ran this long is restarted without backoff, and its backoff is reset. */
const backoffResetMs = 600 * second;

/** The state of a Pod's containers at `nowMs` by its PodStage: a pure function of time. */
export function podSnapshot(spec: ReadPodSpec, stage: PodStageSpec, epoch: Epoch, nowMs: number): PodSnapshot {
  const timeline = new PodTimeline(spec, stage, epoch, nowMs);
  return { ...timeline.containers(), nextMs: timeline.nextMs };
}

type Containers = Omit<PodSnapshot, "nextMs">;

/** Evaluates a PodStage for one Pod at `nowMs`. Collects the earliest future change. */
class PodTimeline {
  readonly #spec: ReadPodSpec;
  readonly #stage: PodStageSpec;
  readonly #epoch: Epoch;
  readonly #nowMs: number;
  nextMs: number | undefined;

  constructor(spec: ReadPodSpec, stage: PodStageSpec, epoch: Epoch, nowMs: number) {
    this.#spec = spec;
    this.#stage = stage;
    this.#epoch = epoch;
    this.#nowMs = nowMs;
  }

  containers(): Containers {
    const { containers, initContainers = [] } = this.#spec;
    const { pull, start, run } = this.#stage;
    const { atMs, runningSinceMs } = this.#epoch;
    const pulledMs = atMs + durationOf(pull?.delay);
    if (runningSinceMs === undefined && (pull?.fails === true || !this.#passed(pulledMs)))
      return this.#pulling(pulledMs);
    const { inits, isInitialized } = this.#initContainers(runningSinceMs ?? pulledMs);
    if (!isInitialized) return { inits, containers: this.#waiting(containers, "PodInitializing") };
    const startedMs = runningSinceMs ?? pulledMs + durationOf(start?.delay);
    if (runningSinceMs === undefined && !this.#passed(startedMs)) {
      const reason = initContainers.length > 0 ? "PodInitializing" : "ContainerCreating";
      return { inits, containers: this.#waiting(containers, reason) };
    }
    return {
      inits,
      containers: containers.map(({ name }) =>
        run !== undefined && (run.container ?? name) === name
          ? this.#cycles(name, runningSinceMs === undefined ? startedMs : atMs, "stays")
          : this.#running(name, startedMs),
      ),
    };
  }

  /** Whether a time has passed; if not, it is a candidate for the next change. */
  #passed(atMs: number): boolean {
    if (atMs <= this.#nowMs) return true;
    if (this.nextMs === undefined || atMs < this.nextMs) this.nextMs = atMs;
    return false;
  }

  #waiting(containers: readonly ReadContainer[], reason: string, message?: string): ContainerSnapshot[] {
    return containers.map(({ name }) => ({
      name,
      state: { kind: "waiting", reason, ...(message === undefined ? {} : { message }) },
      restarts: this.#restartsBefore(name),
    }));
  }

  #restartsBefore(name: string): number {
    return this.#epoch.restarts.get(name) ?? 0;
  }

  /** Before the images are pulled. Init containers start one after another, the others all at once. */
  #pulling(pulledMs: number): Containers {
    const { containers, initContainers: [first, ...later] = [] } = this.#spec;
    const reason = this.#stage.pull?.fails === true ? this.#pullFailure(pulledMs) : "ContainerCreating";
    const pulling = (one: ReadContainer) => this.#waiting([one], reason, pullMessage(reason, one.image ?? ""));
    if (first === undefined) return { inits: [], containers: containers.flatMap(pulling) };
    return {
      inits: [...pulling(first), ...this.#waiting(later, "PodInitializing")],
      containers: this.#waiting(containers, "PodInitializing"),
    };
  }

  /** The waiting reason of an image pull that always fails: each attempt fails, followed by exponential backoff. */
  #pullFailure(firstMs: number): string {
    if (!this.#passed(firstMs)) return "ContainerCreating";
    let attemptMs = firstMs;
    for (let round = 0; ; round++) {
      if (!this.#passed(attemptMs + second)) return "ErrImagePull";
      attemptMs += Math.min(10 * second * 2 ** Math.min(round, 10), 300 * second);
      if (!this.#passed(attemptMs)) return "ImagePullBackOff";
    }
  }

  #initContainers(startMs: number): { readonly inits: ContainerSnapshot[]; readonly isInitialized: boolean } {
    const inits: ContainerSnapshot[] = [];
    let isInitialized = true;
    for (const init of this.#spec.initContainers ?? []) {
      const { name } = init;
      if (!isInitialized) inits.push(...this.#waiting([init], "PodInitializing"));
      else if (init.restartPolicy === "Always")
        inits.push({ name, state: { kind: "running", sinceMs: startMs, ready: true }, restarts: 0 });
      else if (this.#stage.run?.container === name && this.#epoch.runningSinceMs === undefined) {
        const snapshot = this.#cycles(name, startMs, "completes");
        inits.push(snapshot);
        isInitialized = snapshot.state.kind === "terminated" && snapshot.state.exitCode === 0;
      } else inits.push(completed(name, startMs));
    }
    return { inits, isInitialized };
  }

  /** A container that terminates repeatedly, as its PodStage and the restartPolicy allow. */
  #cycles(name: string, firstMs: number, atLast: "stays" | "completes"): ContainerSnapshot {
    const { run } = this.#stage;
    const { exitCode = 0, times = Number.POSITIVE_INFINITY } = run ?? {};
    const reason = run?.reason ?? (exitCode === 0 ? "Completed" : "Error");
    const forMs = durationOf(run?.for);
    const before = this.#restartsBefore(name);
    const policy = this.#spec.restartPolicy ?? "Always";
    const isInit = atLast === "completes";
    const restarts = exitCode === 0 ? policy === "Always" && !isInit : policy !== "Never";
    let startedMs = firstMs;
    let last: Terminated | undefined;
    for (let round = 0; ; round++) {
      const terminated: Terminated = { startedMs, finishedMs: startedMs + forMs, exitCode, reason };
      const counted = { restarts: before + round, ...(last === undefined ? {} : { last }) };
      if (round >= times && isInit) return { ...completed(name, startedMs), ...counted };
      if (round >= times || !this.#passed(terminated.finishedMs))
        return { ...this.#running(name, startedMs), ...counted };
      if (!restarts) return { name, state: { kind: "terminated", ...terminated }, ...counted };
      const pauseMs =
        round === 0 || forMs >= backoffResetMs ? 0 : Math.min(10 * second * 2 ** Math.min(round - 1, 10), 300 * second);
      startedMs = terminated.finishedMs + pauseMs;
      if (!this.#passed(startedMs)) {
        const message = `back-off ${pauseMs / second}s restarting failed container=${name}`;
        const state = { kind: "waiting", reason: "CrashLoopBackOff", message } as const;
        return { name, state, last: terminated, restarts: before + round };
      }
      last = terminated;
    }
  }

  #running(name: string, sinceMs: number): ContainerSnapshot {
    const { ready: { delay, never = false } = {}, unready } = this.#stage;
    const readyMs = sinceMs + durationOf(delay);
    let ready = !never && this.#passed(readyMs);
    if (ready && unready !== undefined) {
      // For a Pod that was already ready, the time counts from the start of the PodStage.
      const fromMs = Math.max(readyMs, this.#epoch.atMs) + durationOf(unready.after);
      if (this.#passed(fromMs)) ready = unready.for !== undefined && this.#passed(fromMs + durationOf(unready.for));
    }
    return { name, state: { kind: "running", sinceMs, ready }, restarts: this.#restartsBefore(name) };
  }
}

function completed(name: string, atMs: number): ContainerSnapshot {
  return {
    name,
    state: { kind: "terminated", startedMs: atMs, finishedMs: atMs, exitCode: 0, reason: "Completed" },
    restarts: 0,
  };
}

function pullMessage(reason: string, image: string): string | undefined {
  if (reason === "ErrImagePull") return `failed to pull and unpack image "${image}": not found`;
  return reason === "ImagePullBackOff" ? `Back-off pulling image "${image}"` : undefined;
}

function durationOf(text: string | undefined): number {
  return text === undefined ? 0 : parseDuration(text);
}
