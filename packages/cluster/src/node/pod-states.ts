import type { Epoch } from "./pod-timeline.js";
import type { ReadPod, ReadPodStatus } from "./read-objects.js";

/** The kubelet's in-memory state of a Pod. */
export interface PodState {
  readonly uid: string;
  /** The key of the PodStage that the epoch belongs to. */
  readonly stage: string;
  /** The images of its containers: a container whose image is changed is restarted. */
  readonly images: string;
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
    const images = pod.spec?.containers.map(({ image }) => image).join(" ") ?? "";
    if (known?.stage === stage && known.images === images && known.uid === pod.metadata.uid) return known;
    const { initContainerStatuses = [], containerStatuses = [] } = pod.status ?? {};
    const startedAt = containerStatuses.find(({ state }) => state?.running !== undefined)?.state?.running?.startedAt;
    // Regardless of the restartPolicy, as a kubelet does.
    const isReplaced = (name: string, image: string): boolean =>
      startedAt !== undefined && pod.spec?.containers.some((one) => one.name === name && one.image !== image) === true;
    const epoch: Epoch = {
      atMs: nowMs,
      runningSinceMs:
        startedAt === undefined || containerStatuses.some(({ name, image }) => isReplaced(name, image))
          ? undefined
          : Date.parse(startedAt),
      restarts: new Map(
        [...initContainerStatuses, ...containerStatuses].map(({ name, image, restartCount }) => [
          name,
          restartCount + (isReplaced(name, image) ? 1 : 0),
        ]),
      ),
    };
    const { terminatingSinceMs, written } = known?.uid === pod.metadata.uid ? known : unknown;
    const state = { uid: pod.metadata.uid ?? "", stage, images, epoch, terminatingSinceMs, written };
    this.#pods.set(key, state);
    return state;
  }
}
