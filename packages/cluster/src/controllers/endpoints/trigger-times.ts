import { formatMicroTime } from "@kubewright/core/meta";
import type { ReadPod, ReadService } from "./service-pods.js";

/** Where endpoints say since when what they show was so. */
export const triggerAnnotation = "endpoints.kubernetes.io/last-change-trigger-time";

interface Seen {
  readonly serviceMs: number;
  readonly podsMs: ReadonlyMap<string, number>;
}

/** Knows which change of a service or its pods led to a change of endpoints: the earliest that was not seen before. */
export class TriggerTimes {
  readonly #seen = new Map<string, Seen>();

  /** The time of the earliest change since the last call, as the annotation has it; undefined where there is none. */
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

/** The fraction as short as it can be. */
function withoutZeros(time: string): string {
  return time.replace(/\.?0+Z$/, "Z");
}
