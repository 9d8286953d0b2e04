import type { ReadOf } from "kubewright";
import type { StatefulSet } from "kubewright/k8s/apps/v1";

/** A StatefulSet from the cache. */
export type SetView = ReadOf<typeof StatefulSet>;

/** The StatefulSet name and ordinal in a Pod name; the ordinal is -1 if there is none. */
export function identityOf(podName: string): { readonly parent: string; readonly ordinal: number } {
  const [, parent = "", digits = ""] = /^(.*)-(\d+)$/.exec(podName) ?? [];
  const ordinal = digits === "" ? -1 : Number(digits);
  return { parent, ordinal: ordinal > 2 ** 31 - 1 ? -1 : ordinal };
}

/** The ordinal of a Pod; -1 if its name has none. */
export function ordinalOf({ metadata }: { readonly metadata: { readonly name: string } }): number {
  return identityOf(metadata.name).ordinal;
}

/** `spec.ordinals.start`. */
export function firstOrdinal({ spec }: SetView): number {
  return spec.ordinals?.start ?? 0;
}

/** `spec.replicas`. */
export function desiredReplicas({ spec }: SetView): number {
  return spec.replicas ?? 1;
}

/** Whether an ordinal is within the replicas of a StatefulSet. */
export function isInOrdinalRange(set: SetView, ordinal: number): boolean {
  const first = firstOrdinal(set);
  return ordinal >= first && ordinal < first + desiredReplicas(set);
}

/** The name of the Pod with an ordinal. */
export function podNameOf(set: SetView, ordinal: number): string {
  return `${set.metadata.name}-${ordinal}`;
}
