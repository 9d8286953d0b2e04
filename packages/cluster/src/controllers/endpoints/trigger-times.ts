import { formatMicroTime } from "@kubewright/core/meta";
import type { ReadPod, ReadService } from "./service-pods.js";

/** On Endpoints and EndpointSlices: the time of the Pod or Service change that triggered their last change. */
export const triggerAnnotation = "endpoints.kubernetes.io/last-change-trigger-time";

interface Seen {
  readonly serviceMs: number;
  readonly podsMs: ReadonlyMap<string, number>;
}

/** Tracks which Pod or Service change triggered a change of endpoints: the earliest that was not seen before. */
export class TriggerTimes {
  readonly #seen = new Map<string, Seen>();

  /** The time of the earliest change since the last call, formatted for the annotation; undefined if there is none. */
  next(key: string, { metadata }: ReadService, pods: readonly ReadPod[]): string | undefined {
    const before = this.#seen.get(key);
    const podsMs = new Map<string, number>();
    const changedMs: number[] = [];
    for (const { metadata: pod, status } of pods) {
      const ready = status?.conditions?.find(({ type }) => type === "Ready")?.lastTransitionTime;
      if (ready === undefined) continue;
      const readyMs = Date.parse(ready);
      podsMs.set(pod.name, readyMs);
      if (readyMs > (before?.podsMs.get(pod.name) ?? Number.NEGATIVE_INFINITY)) changedMs.push(readyMs);
    }
    const serviceMs = Date.parse(metadata.creationTimestamp ?? "");
    if (serviceMs > (before?.serviceMs ?? Number.NEGATIVE_INFINITY)) changedMs.push(serviceMs);
    this.#seen.set(key, { serviceMs, podsMs });
    return changedMs.length === 0 ? undefined : withoutZeros(formatMicroTime(Math.min(...changedMs)));
  }

  forget(key: string): void {
    this.#seen.delete(key);
  }
}

/** Removes trailing zeros of the fraction. */
function withoutZeros(time: string): string {
  return time.replace(/\.?0+Z$/, "Z");
}
