import type { NewObject } from "kubewright";
import type { DeploymentStatus, ReplicaSet } from "kubewright/k8s/apps/v1";
import type { PodView } from "../pod/index.js";
import { type Annotations, changedAnnotations, sizeAnnotations } from "./annotations.js";
import { type DeploymentView, desiredReplicas, maxSurge } from "./limits.js";
import { type ReplicaSetView, sizeOf } from "./replica-sets.js";

/** A ReplicaSet to create. */
export type NewReplicaSet = Pick<NewObject<typeof ReplicaSet>, "spec"> & {
  readonly metadata: { readonly name: string; readonly labels: Annotations; readonly annotations: Annotations };
};

/** Changes to a ReplicaSet. */
export interface ReplicaSetChange {
  readonly annotations?: Annotations;
  readonly replicas?: number;
  readonly minReadySeconds?: number;
}

/** One sync of a Deployment: the object, its draft status and the available actions. */
export interface Rollout {
  readonly deployment: DeploymentView;
  /** A draft, written at the end of the sync. */
  readonly status: DeploymentStatus;
  readonly nowMs: number;
  readonly create: (set: NewReplicaSet) => Promise<ReplicaSetView>;
  readonly change: (set: ReplicaSetView, change: ReplicaSetChange) => Promise<ReplicaSetView>;
  readonly find: (name: string) => Promise<ReplicaSetView | undefined>;
  readonly delete: (set: ReplicaSetView) => Promise<unknown>;
  /** Sets the revision annotation of the Deployment. */
  readonly setRevision: (revision: string) => Promise<unknown>;
  /** Sends a merge patch to the Deployment. */
  readonly patch: (patch: Readonly<Record<string, unknown>>) => Promise<unknown>;
  readonly podsOf: (set: ReplicaSetView) => Promise<readonly PodView[]>;
  readonly event: (type: "Normal" | "Warning", reason: string, note: string) => void;
}

/** Scales a ReplicaSet and emits an event. With `always`, it also updates the size annotations when only they changed. */
export async function scaleTo(
  rollout: Rollout,
  set: ReplicaSetView,
  replicas: number,
  { always = false }: { readonly always?: boolean } = {},
): Promise<ReplicaSetView> {
  const { deployment, change, event } = rollout;
  const before = sizeOf(set);
  const desired = desiredReplicas(deployment);
  const sizes = sizeAnnotations(desired, desired + maxSurge(deployment));
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
