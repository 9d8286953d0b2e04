import {
  bindCompleted,
  classOf,
  findMatchingVolume,
  type ReadPv,
  type ReadPvc,
  selectedNode,
} from "../volume-binding/index.js";
import type { Rejection } from "./filters.js";
import { matchesSelector } from "./node-selection.js";
import type { NodeState } from "./node-state.js";
import type { ReadPod, ReadStorageClass } from "./scheduler-objects.js";

/** Access to PVCs, PVs and StorageClasses. */
export interface VolumeObjects {
  claim(namespace: string, name: string): ReadPvc | undefined;
  volume(name: string): ReadPv | undefined;
  readonly volumes: readonly ReadPv[];
  storageClass(name: string): ReadStorageClass | undefined;
}

/** Writes needed before a Pod can be bound to a node. */
export interface VolumePlan {
  /** PVs to bind to PVCs with WaitForFirstConsumer. */
  readonly bind: readonly { readonly claim: ReadPvc; readonly volume: ReadPv }[];
  /** PVCs to provision for the node. */
  readonly provision: readonly ReadPvc[];
}

const nothing: VolumePlan = { bind: [], provision: [] };

/** The PVCs of one Pod, checked for each node. */
export class PodVolumes {
  /** kube-scheduler's reason why the Pod fits on no node. */
  readonly problem: string | undefined;
  readonly #objects: VolumeObjects;
  readonly #bound: readonly ReadPvc[];
  readonly #delayed: readonly ReadPvc[];

  constructor(pod: ReadPod, objects: VolumeObjects) {
    this.#objects = objects;
    const { claims, problem } = claimsOf(pod, objects);
    const isBound = ({ spec, metadata }: ReadPvc): boolean =>
      spec?.volumeName !== undefined && metadata.annotations?.[bindCompleted] !== undefined;
    this.#bound = claims.filter(isBound);
    const unbound = claims.filter((claim) => !isBound(claim));
    this.#delayed = unbound.filter((claim) => this.#isDelayed(claim));
    const hasImmediate = this.#delayed.length < unbound.length;
    this.problem = problem ?? (hasImmediate ? "pod has unbound immediate PersistentVolumeClaims" : undefined);
  }

  /** Why the volumes reject a node; undefined if they do not. */
  check(node: NodeState): Rejection | undefined {
    for (const { spec } of this.#bound) {
      const volume = this.#objects.volume(spec?.volumeName ?? "");
      if (volume === undefined)
        return {
          reasons: ["node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)"],
          resolvable: false,
        };
      if (!matchesNodeAffinity(volume, node))
        return { reasons: ["node(s) didn't match PersistentVolume's node affinity"], resolvable: false };
    }
    return this.plan(node) === undefined
      ? { reasons: ["node(s) didn't find available persistent volumes to bind"], resolvable: false }
      : undefined;
  }

  /** The writes that make the volumes available on a node; undefined if that is impossible. */
  plan(node: NodeState): VolumePlan | undefined {
    if (this.#delayed.length === 0) return nothing;
    const bind: { claim: ReadPvc; volume: ReadPv }[] = [];
    const provision: ReadPvc[] = [];
    const excluded = new Set<string>();
    for (const claim of this.#delayed) {
      const selected = claim.metadata.annotations?.[selectedNode];
      if (selected !== undefined && selected !== node.name) return undefined;
      const matchesNode = (volume: ReadPv): boolean => matchesNodeAffinity(volume, node);
      const volume = findMatchingVolume(claim, this.#objects.volumes, { matchesNodeAffinity: matchesNode, excluded });
      if (volume !== undefined && selected === undefined) {
        excluded.add(volume.metadata.name);
        bind.push({ claim, volume });
      } else if (this.#canProvision(claim, node)) provision.push(claim);
      else return undefined;
    }
    return { bind, provision };
  }

  #isDelayed(claim: ReadPvc): boolean {
    if (claim.spec?.volumeName !== undefined) return false;
    return this.#objects.storageClass(classOf(claim))?.volumeBindingMode === "WaitForFirstConsumer";
  }

  #canProvision(claim: ReadPvc, { labels, name }: NodeState): boolean {
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
): { readonly claims: readonly ReadPvc[]; readonly problem?: string } {
  const claims: ReadPvc[] = [];
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

function matchesNodeAffinity({ spec }: ReadPv, { labels, name }: NodeState): boolean {
  const required = spec?.nodeAffinity?.required;
  return required === undefined || matchesSelector(required, labels, name);
}
