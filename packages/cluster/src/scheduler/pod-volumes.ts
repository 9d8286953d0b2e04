import {
  bindCompleted,
  classOf,
  fittingVolume,
  type ReadClaim,
  type ReadVolume,
  selectedNode,
} from "../claims/index.js";
import type { Refusal } from "./filters.js";
import { matchesSelector } from "./node-selection.js";
import type { NodeState } from "./node-state.js";
import type { ReadPod, ReadStorageClass } from "./scheduler-objects.js";

/** What is known of volumes. */
export interface VolumeObjects {
  claim(namespace: string, name: string): ReadClaim | undefined;
  volume(name: string): ReadVolume | undefined;
  readonly volumes: readonly ReadVolume[];
  storageClass(name: string): ReadStorageClass | undefined;
}

/** What is to be done for the volumes of a pod before it can be bound to its node. */
export interface VolumePlan {
  /** Volumes that are there, for claims that waited for a pod. */
  readonly bind: readonly { readonly claim: ReadClaim; readonly volume: ReadVolume }[];
  /** Claims whose volume is made for the node. */
  readonly provision: readonly ReadClaim[];
}

const nothing: VolumePlan = { bind: [], provision: [] };

/** The volumes of one pod, asked of each node. */
export class PodVolumes {
  /** Why the pod can be nowhere, in a scheduler's words. */
  readonly problem: string | undefined;
  readonly #objects: VolumeObjects;
  readonly #bound: readonly ReadClaim[];
  readonly #waiting: readonly ReadClaim[];

  constructor(pod: ReadPod, objects: VolumeObjects) {
    this.#objects = objects;
    const { claims, problem } = claimsOf(pod, objects);
    const isBound = ({ spec, metadata }: ReadClaim): boolean =>
      spec?.volumeName !== undefined && metadata.annotations?.[bindCompleted] !== undefined;
    this.#bound = claims.filter(isBound);
    const unbound = claims.filter((claim) => !isBound(claim));
    this.#waiting = unbound.filter((claim) => this.#waitsForPod(claim));
    const isImmediate = this.#waiting.length < unbound.length;
    this.problem = problem ?? (isImmediate ? "pod has unbound immediate PersistentVolumeClaims" : undefined);
  }

  /** Why the volumes keep the pod from a node; undefined when they do not. */
  check(node: NodeState): Refusal | undefined {
    for (const { spec } of this.#bound) {
      const volume = this.#objects.volume(spec?.volumeName ?? "");
      if (volume === undefined)
        return {
          reasons: ["node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)"],
          resolvable: false,
        };
      if (!isReachable(volume, node))
        return { reasons: ["node(s) didn't match PersistentVolume's node affinity"], resolvable: false };
    }
    return this.plan(node) === undefined
      ? { reasons: ["node(s) didn't find available persistent volumes to bind"], resolvable: false }
      : undefined;
  }

  /** What makes the volumes be there on a node; undefined when they cannot be. */
  plan(node: NodeState): VolumePlan | undefined {
    if (this.#waiting.length === 0) return nothing;
    const bind: { claim: ReadClaim; volume: ReadVolume }[] = [];
    const provision: ReadClaim[] = [];
    const taken = new Set<string>();
    for (const claim of this.#waiting) {
      const selected = claim.metadata.annotations?.[selectedNode];
      if (selected !== undefined && selected !== node.name) return undefined;
      const isHere = (volume: ReadVolume): boolean => isReachable(volume, node);
      const volume = fittingVolume(claim, this.#objects.volumes, { isReachable: isHere, taken });
      if (volume !== undefined && selected === undefined) {
        taken.add(volume.metadata.name);
        bind.push({ claim, volume });
      } else if (this.#isProvisioned(claim, node)) provision.push(claim);
      else return undefined;
    }
    return { bind, provision };
  }

  #waitsForPod(claim: ReadClaim): boolean {
    if (claim.spec?.volumeName !== undefined) return false;
    return this.#objects.storageClass(classOf(claim))?.volumeBindingMode === "WaitForFirstConsumer";
  }

  #isProvisioned(claim: ReadClaim, { labels, name }: NodeState): boolean {
    const storageClass = this.#objects.storageClass(classOf(claim));
    if (storageClass === undefined || storageClass.provisioner === "kubernetes.io/no-provisioner") return false;
    const topologies = storageClass.allowedTopologies ?? [];
    const terms = topologies.map(({ matchLabelExpressions = [] }) => ({
      matchExpressions: matchLabelExpressions.map(({ key, values }) => ({ key, operator: "In" as const, values })),
    }));
    return terms.length === 0 || matchesSelector({ nodeSelectorTerms: terms }, labels, name);
  }
}

function claimsOf(
  pod: ReadPod,
  objects: VolumeObjects,
): { readonly claims: readonly ReadClaim[]; readonly problem?: string } {
  const claims: ReadClaim[] = [];
  for (const { name: volume, persistentVolumeClaim, ephemeral } of pod.spec?.volumes ?? []) {
    if (persistentVolumeClaim === undefined && ephemeral === undefined) continue;
    const name = persistentVolumeClaim?.claimName ?? `${pod.metadata.name}-${volume}`;
    const claim = objects.claim(pod.metadata.namespace ?? "", name);
    const quoted = `persistentvolumeclaim ${JSON.stringify(name)}`;
    if (claim === undefined)
      return {
        claims,
        problem:
          ephemeral === undefined
            ? `${quoted} not found`
            : `waiting for ephemeral volume controller to create the ${quoted}`,
      };
    if (claim.status?.phase === "Lost")
      return {
        claims,
        problem: `${quoted} bound to non-existent persistentvolume ${JSON.stringify(claim.spec?.volumeName)}`,
      };
    if (claim.metadata.deletionTimestamp !== undefined) return { claims, problem: `${quoted} is being deleted` };
    claims.push(claim);
  }
  return { claims };
}

function isReachable({ spec }: ReadVolume, { labels, name }: NodeState): boolean {
  const required = spec?.nodeAffinity?.required;
  return required === undefined || matchesSelector(required, labels, name);
}
