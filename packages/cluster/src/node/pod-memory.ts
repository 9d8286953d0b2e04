import type { Epoch } from "./pod-timeline.js";
import type { ReadPod, ReadPodStatus } from "./read-objects.js";

/** What a kubelet would remember of a pod. */
export interface RememberedPod {
  readonly uid: string;
  /** Which stage its epoch belongs to. */
  readonly stage: string;
  readonly epoch: Epoch;
  /** When it was first seen to be deleted. */
  stoppingSinceMs: number | undefined;
  /** The status that its kubelet wrote last, and the version of the pod that it looked at for that. */
  written: { readonly over: string; readonly status: ReadPodStatus } | undefined;
}

const unknown = { stoppingSinceMs: undefined, written: undefined };

/** Since when pods are in their stages, to the millisecond: their status knows seconds alone. */
export class PodMemory {
  readonly #pods = new Map<string, RememberedPod>();

  /** Forgets a pod that has gone; gives its uid where it was known. */
  forget({ metadata }: ReadPod): string | undefined {
    const key = `${metadata.namespace}/${metadata.name}`;
    const held = this.#pods.get(key);
    if (held === undefined || held.uid !== metadata.uid) return undefined;
    this.#pods.delete(key);
    return held.uid;
  }

  /** The status that the kubelet wrote over this very version of a pod; undefined where it wrote none. */
  writtenOver({ metadata }: ReadPod): ReadPodStatus | undefined {
    const held = this.#pods.get(`${metadata.namespace}/${metadata.name}`);
    return held?.uid === metadata.uid && held.written?.over === metadata.resourceVersion
      ? held.written.status
      : undefined;
  }

  /** What is remembered of a pod in a stage. A stage that is new to it begins now, with the containers as they are. */
  of(key: string, pod: ReadPod, stage: string, nowMs: number): RememberedPod {
    const held = this.#pods.get(key);
    if (held?.stage === stage && held.uid === pod.metadata.uid) return held;
    const { initContainerStatuses = [], containerStatuses = [] } = pod.status ?? {};
    const startedAt = containerStatuses.find(({ state }) => state?.running !== undefined)?.state?.running?.startedAt;
    const epoch: Epoch = {
      atMs: nowMs,
      runningSinceMs: startedAt === undefined ? undefined : Date.parse(startedAt),
      restarts: new Map(
        [...initContainerStatuses, ...containerStatuses].map(({ name, restartCount }) => [name, restartCount]),
      ),
    };
    const { stoppingSinceMs, written } = held?.uid === pod.metadata.uid ? held : unknown;
    const made = { uid: pod.metadata.uid ?? "", stage, epoch, stoppingSinceMs, written };
    this.#pods.set(key, made);
    return made;
  }
}
