import { labelSelectorFrom } from "@kubewright/core/selector";
import type { Refusal } from "./filters.js";
import { matchesSelector } from "./node-selection.js";
import type { NodeState } from "./node-state.js";
import { parseResources } from "./pod-resources.js";
import type { ReadClaim, ReadPod, ReadStorageClass, ReadVolume } from "./scheduler-objects.js";

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
      spec?.volumeName !== undefined && metadata.annotations?.["pv.kubernetes.io/bind-completed"] !== undefined;
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
      const volume = this.#fitting(claim, node, taken);
      if (volume !== undefined && selected === undefined) {
        taken.add(volume.metadata.name);
        bind.push({ claim, volume });
      } else if (this.#isProvisioned(claim, node)) provision.push(claim);
      else return undefined;
    }
    return { bind, provision };
  }

  #waitsForPod({ spec }: ReadClaim): boolean {
    if (spec?.volumeName !== undefined) return false;
    return this.#objects.storageClass(spec?.storageClassName ?? "")?.volumeBindingMode === "WaitForFirstConsumer";
  }

  #isProvisioned({ spec }: ReadClaim, { labels, name }: NodeState): boolean {
    const storageClass = this.#objects.storageClass(spec?.storageClassName ?? "");
    if (storageClass === undefined || storageClass.provisioner === "kubernetes.io/no-provisioner") return false;
    const topologies = storageClass.allowedTopologies ?? [];
    const terms = topologies.map(({ matchLabelExpressions = [] }) => ({
      matchExpressions: matchLabelExpressions.map(({ key, values }) => ({ key, operator: "In" as const, values })),
    }));
    return terms.length === 0 || matchesSelector({ nodeSelectorTerms: terms }, labels, name);
  }

  /** The smallest volume that a claim can have on a node. */
  #fitting({ spec, metadata }: ReadClaim, node: NodeState, taken: ReadonlySet<string>): ReadVolume | undefined {
    const wanted = parseResources(spec?.resources?.requests).get("storage") ?? 0;
    const selector = spec?.selector === undefined ? undefined : labelSelectorFrom(spec.selector);
    const sizeOf = (volume: ReadVolume): number => parseResources(volume.spec?.capacity).get("storage") ?? 0;
    return this.#objects.volumes
      .filter((volume) => {
        const { claimRef } = volume.spec ?? {};
        const isMine = claimRef?.name === metadata.name && claimRef.namespace === metadata.namespace;
        return (
          !taken.has(volume.metadata.name) &&
          (claimRef === undefined || isMine) &&
          (volume.status?.phase === "Available" || isMine) &&
          (volume.spec?.storageClassName ?? "") === (spec?.storageClassName ?? "") &&
          (volume.spec?.volumeMode ?? "Filesystem") === (spec?.volumeMode ?? "Filesystem") &&
          (spec?.accessModes ?? []).every((mode) => volume.spec?.accessModes?.includes(mode)) &&
          sizeOf(volume) >= wanted &&
          (selector?.matches(volume.metadata.labels ?? {}) ?? true) &&
          isReachable(volume, node)
        );
      })
      .sort((a, b) => sizeOf(a) - sizeOf(b) || (a.metadata.name < b.metadata.name ? -1 : 1))[0];
  }
}

/** Where a claim says on which node its volume is to be. */
export const selectedNode = "volume.kubernetes.io/selected-node";

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
