import type { NewObject } from "kubewright";
import type { DeploymentStatus, ReplicaSet } from "kubewright/k8s/apps/v1";
import type { PodView } from "../pod/index.js";
import { type Annotations, changedAnnotations, sizeAnnotations } from "./annotations.js";
import { type DeploymentView, maxSurge, wantedReplicas } from "./limits.js";
import { type ReplicaSetView, sizeOf } from "./replica-sets.js";

/** A ReplicaSet that is to be made. */
export type NewReplicaSet = Pick<NewObject<typeof ReplicaSet>, "spec"> & {
  readonly metadata: { readonly name: string; readonly labels: Annotations; readonly annotations: Annotations };
};

/** What is changed of a ReplicaSet. */
export interface ReplicaSetChange {
  readonly annotations?: Annotations;
  readonly replicas?: number;
  readonly minReadySeconds?: number;
}

/** One run on a Deployment: what it is, what is known of its status, and what can be done. */
export interface Rollout {
  readonly deployment: DeploymentView;
  /** A draft: what is in it at the end is written. */
  readonly status: DeploymentStatus;
  readonly nowMs: number;
  readonly create: (set: NewReplicaSet) => Promise<ReplicaSetView>;
  readonly change: (set: ReplicaSetView, change: ReplicaSetChange) => Promise<ReplicaSetView>;
  readonly find: (name: string) => Promise<ReplicaSetView | undefined>;
  readonly delete: (set: ReplicaSetView) => Promise<unknown>;
  /** Says on the Deployment which revision is current. */
  readonly setRevision: (revision: string) => Promise<unknown>;
  /** Changes the Deployment itself, by a merge patch. */
  readonly patch: (patch: Readonly<Record<string, unknown>>) => Promise<unknown>;
  readonly podsOf: (set: ReplicaSetView) => Promise<readonly PodView[]>;
  readonly event: (type: "Normal" | "Warning", reason: string, note: string) => void;
}

/** Gives a ReplicaSet another size, and tells of it; with `always` also notes the Deployment's size where only that changed. */
export async function scaleTo(
  rollout: Rollout,
  set: ReplicaSetView,
  replicas: number,
  { always = false }: { readonly always?: boolean } = {},
): Promise<ReplicaSetView> {
  const { deployment, change, event } = rollout;
  const before = sizeOf(set);
  const wanted = wantedReplicas(deployment);
  const sizes = sizeAnnotations(wanted, wanted + maxSurge(deployment));
  const annotations = changedAnnotations(set.metadata.annotations, sizes);
  const isSame = before === replicas;
  if (isSame && (!always || Object.keys(annotations).length === 0)) return set;
  const scaled = await change(set, { replicas, annotations });
  if (!isSame) {
    const direction = before < replicas ? "up" : "down";
    const { name } = set.metadata;
    event("Normal", "ScalingReplicaSet", `Scaled ${direction} replica set ${name} from ${before} to ${replicas}`);
  }
  return scaled;
}
