import type { Epoch } from "./pod-timeline.js";
import type { ReadPod } from "./read-objects.js";

/** What a kubelet would remember of a pod. */
export interface RememberedPod {
  readonly uid: string;
  /** Which stage its epoch belongs to. */
  readonly stage: string;
  readonly epoch: Epoch;
  /** When it was first seen to be deleted. */
  stoppingSinceMs: number | undefined;
  /** The version of the pod that its kubelet made by writing its status, where nobody else changed anything meanwhile. */
  writtenVersion: string | undefined;
}

/** Since when pods are in their stages, to the millisecond: their status knows seconds alone. */
export class PodMemory {
  readonly #pods = new Map<string, RememberedPod>();

  /** Forgets the pod of a key unless it is this one; gives the uid of the one that it forgot. */
  forgetOthers(key: string, uid: string | undefined): string | undefined {
    const held = this.#pods.get(key);
    if (held === undefined || held.uid === uid) return undefined;
    this.#pods.delete(key);
    return held.uid;
  }

  /** Whether a pod is as its kubelet left it: there is nothing to do about it before the moment that was waited for. */
  isAsWritten({ metadata }: ReadPod): boolean {
    const held = this.#pods.get(`${metadata.namespace}/${metadata.name}`);
    return held !== undefined && held.uid === metadata.uid && held.writtenVersion === metadata.resourceVersion;
  }

  /** What is remembered of a pod in a stage. A stage that is new to it begins now, with the containers as they are. */
  of(key: string, pod: ReadPod, stage: string, nowMs: number): RememberedPod {
    const held = this.#pods.get(key);
    if (held?.stage === stage) return held;
    const { initContainerStatuses = [], containerStatuses = [] } = pod.status ?? {};
    const startedAt = containerStatuses.find(({ state }) => state?.running !== undefined)?.state?.running?.startedAt;
    const epoch: Epoch = {
      atMs: nowMs,
      runningSinceMs: startedAt === undefined ? undefined : Date.parse(startedAt),
      restarts: new Map(
        [...initContainerStatuses, ...containerStatuses].map(({ name, restartCount }) => [name, restartCount]),
      ),
    };
    const { stoppingSinceMs, writtenVersion } = held ?? {};
    const made = { uid: pod.metadata.uid ?? "", stage, epoch, stoppingSinceMs, writtenVersion };
    this.#pods.set(key, made);
    return made;
  }
}
