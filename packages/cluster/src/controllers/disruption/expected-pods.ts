import { resolveIntOrPercent } from "@kubewright/core/meta";
import type { ReadOf } from "kubewright";
import type { Pod } from "kubewright/k8s/core/v1";
import type { PodDisruptionBudget } from "kubewright/k8s/policy/v1";

type ReadPod = ReadOf<typeof Pod>;
type ReadBudget = ReadOf<typeof PodDisruptionBudget>;
type OwnerReference = NonNullable<ReadPod["metadata"]["ownerReferences"]>[number];

/** A controller of pods, and how many it wants. */
export interface Scaled {
  readonly uid: string;
  readonly replicas: number;
}

/** Finds how many pods the controller that a reference names wants; undefined where it cannot be told. */
export type FindScale = (owner: OwnerReference) => Promise<Scaled | undefined>;

/** How many pods there should be, how many of them healthy, and which belong to nobody. */
export interface ExpectedPods {
  readonly expected: number;
  readonly healthy: number;
  readonly unmanaged: readonly string[];
}

/** What a budget asks for. Rejects where a pod's controller is not known. */
export async function expectedPods(
  { spec }: ReadBudget,
  pods: readonly ReadPod[],
  findScale: FindScale,
): Promise<ExpectedPods> {
  const { maxUnavailable, minAvailable } = spec ?? {};
  if (maxUnavailable === undefined && typeof minAvailable !== "string")
    return { expected: minAvailable === undefined ? 0 : pods.length, healthy: minAvailable ?? 0, unmanaged: [] };
  const scales = new Map<string, number>();
  const unmanaged: string[] = [];
  const asked = new Set<string>();
  for (const { metadata } of pods) {
    const owner = metadata.ownerReferences?.find(({ controller }) => controller === true);
    if (owner === undefined) unmanaged.push(metadata.name);
    else if (!asked.has(owner.uid)) {
      asked.add(owner.uid);
      const scale = await findScale(owner);
      if (scale === undefined) throw new Error(`found no controllers for pod ${JSON.stringify(metadata.name)}`);
      scales.set(scale.uid, scale.replicas);
    }
  }
  const expected = [...scales.values()].reduce((sum, replicas) => sum + replicas, 0);
  const share = resolveIntOrPercent(maxUnavailable ?? minAvailable ?? 0, expected, "up");
  return { expected, healthy: maxUnavailable === undefined ? share : Math.max(0, expected - share), unmanaged };
}
