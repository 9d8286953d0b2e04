import type { ReadOf } from "kubewright";
import type { StatefulSet } from "kubewright/k8s/apps/v1";

/** A StatefulSet as it was read. */
export type SetView = ReadOf<typeof StatefulSet>;

/** The name of the set that a pod's name says it is of, and its number there; the number is -1 where it says none. */
export function identityOf(podName: string): { readonly parent: string; readonly ordinal: number } {
  const [, parent = "", digits = ""] = /^(.*)-(\d+)$/.exec(podName) ?? [];
  const ordinal = digits === "" ? -1 : Number(digits);
  return { parent, ordinal: ordinal > 2 ** 31 - 1 ? -1 : ordinal };
}

/** The number of a pod in its set; -1 where its name says none. */
export function ordinalOf({ metadata }: { readonly metadata: { readonly name: string } }): number {
  return identityOf(metadata.name).ordinal;
}

/** The first number that a set gives. */
export function firstOrdinal({ spec }: SetView): number {
  return spec.ordinals?.start ?? 0;
}

/** How many pods a set wants. */
export function wantedReplicas({ spec }: SetView): number {
  return spec.replicas ?? 1;
}

/** Whether a set has a pod of this number. */
export function isWanted(set: SetView, ordinal: number): boolean {
  const first = firstOrdinal(set);
  return ordinal >= first && ordinal < first + wantedReplicas(set);
}

/** The name of the pod of this number. */
export function podNameOf(set: SetView, ordinal: number): string {
  return `${set.metadata.name}-${ordinal}`;
}
