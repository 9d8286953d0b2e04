import { resolveIntOrPercent } from "@kubewright/core/meta";
import type { ReadOf } from "kubewright";
import type { Pod } from "kubewright/k8s/core/v1";
import type { PodDisruptionBudget } from "kubewright/k8s/policy/v1";

type ReadPod = ReadOf<typeof Pod>;
type ReadBudget = ReadOf<typeof PodDisruptionBudget>;
type OwnerReference = NonNullable<ReadPod["metadata"]["ownerReferences"]>[number];

/** A controller of Pods, and its `spec.replicas`. */
export interface Scaled {
  readonly uid: string;
  readonly replicas: number;
}

/** Finds the scale of a Pod's controller; undefined if it cannot be determined. */
export type FindScale = (owner: OwnerReference) => Promise<Scaled | undefined>;

/** Expected and desired healthy Pods of a PDB, and the Pods without a controller. */
export interface ExpectedPods {
  readonly expected: number;
  readonly healthy: number;
  readonly unmanaged: readonly string[];
}

/** Computes the expected Pods of a PDB. Rejects if the scale of a Pod's controller cannot be determined. */
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
  const seen = new Set<string>();
  for (const { metadata } of pods) {
    const owner = metadata.ownerReferences?.find(({ controller }) => controller === true);
    if (owner === undefined) unmanaged.push(metadata.name);
    else if (!seen.has(owner.uid)) {
      seen.add(owner.uid);
      const scale = await findScale(owner);
      if (scale === undefined) throw new Error(`found no controllers for pod ${JSON.stringify(metadata.name)}`);
      scales.set(scale.uid, scale.replicas);
    }
  }
  const expected = [...scales.values()].reduce((sum, replicas) => sum + replicas, 0);
  const share = resolveIntOrPercent(maxUnavailable ?? minAvailable ?? 0, expected, "up");
  return { expected, healthy: maxUnavailable === undefined ? share : Math.max(0, expected - share), unmanaged };
}
