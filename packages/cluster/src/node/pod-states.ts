import type { Epoch } from "./pod-timeline.js";
import type { ReadPod, ReadPodStatus } from "./read-objects.js";

/** The kubelet's in-memory state of a Pod. */
export interface PodState {
  readonly uid: string;
  /** The key of the PodStage that the epoch belongs to. */
  readonly stage: string;
  readonly epoch: Epoch;
  /** When the deletion was first observed. */
  terminatingSinceMs: number | undefined;
  /** The last status write, and the resourceVersion of the Pod that it was based on. */
  written: { readonly base: string; readonly status: ReadPodStatus } | undefined;
}

const unknown = { terminatingSinceMs: undefined, written: undefined };

/** The kubelets' in-memory state of Pods, with times in milliseconds: the Pod status has only seconds. */
export class PodStates {
  readonly #pods = new Map<string, PodState>();

  /** Forgets a deleted Pod. Returns its uid if it was known. */
  forget({ metadata }: ReadPod): string | undefined {
    const key = `${metadata.namespace}/${metadata.name}`;
    const known = this.#pods.get(key);
    if (known === undefined || known.uid !== metadata.uid) return undefined;
    this.#pods.delete(key);
    return known.uid;
  }

  /** The status that the kubelet wrote based on this version of a Pod; undefined if there is none. */
  writtenFor({ metadata }: ReadPod): ReadPodStatus | undefined {
    const known = this.#pods.get(`${metadata.namespace}/${metadata.name}`);
    return known?.uid === metadata.uid && known.written?.base === metadata.resourceVersion
      ? known.written.status
      : undefined;
  }

  /** The state of a Pod in a PodStage. A new PodStage starts now, with the current containers. */
  of(key: string, pod: ReadPod, stage: string, nowMs: number): PodState {
    const known = this.#pods.get(key);
    if (known?.stage === stage && known.uid === pod.metadata.uid) return known;
    const { initContainerStatuses = [], containerStatuses = [] } = pod.status ?? {};
    const startedAt = containerStatuses.find(({ state }) => state?.running !== undefined)?.state?.running?.startedAt;
    const epoch: Epoch = {
      atMs: nowMs,
      runningSinceMs: startedAt === undefined ? undefined : Date.parse(startedAt),
      restarts: new Map(
        [...initContainerStatuses, ...containerStatuses].map(({ name, restartCount }) => [name, restartCount]),
      ),
    };
    const { terminatingSinceMs, written } = known?.uid === pod.metadata.uid ? known : unknown;
    const state = { uid: pod.metadata.uid ?? "", stage, epoch, terminatingSinceMs, written };
    this.#pods.set(key, state);
    return state;
  }
}
