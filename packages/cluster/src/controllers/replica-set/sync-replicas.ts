import type { Duration, RequeueAfter } from "kubewright";
import { claimObjects } from "../ownership/index.js";
import {
  createPod,
  deletePod,
  isPodActive,
  isPodTerminating,
  nextAvailableInMs,
  type PodActions,
  type PodView,
  podsToDelete,
  serverMessage,
  slowStart,
} from "../pod/index.js";
import type { ReplicaFailure, ReplicaOwner } from "./replica-owner.js";
import { type ReplicaCounts, updateStatus } from "./replica-status.js";

/** BurstReplicas: the maximum of Pods that one sync creates or deletes. */
const burst = 500;

/** Actions of one sync. */
export interface ReplicaActions extends PodActions {
  /** The Pods that the owner controls, and the Pods of its namespace without a controller. */
  readonly pods: () => Promise<readonly PodView[]>;
  /** The Pods of all ReplicaSets with the same controller, such as one Deployment. */
  readonly related: () => Promise<readonly PodView[]>;
  readonly adopt: (name: string) => Promise<PodView>;
  readonly release: (name: string) => Promise<unknown>;
  readonly requeueAfter: (delay: Duration) => RequeueAfter;
  readonly nowMs: number;
}

/**
 * Creates or deletes Pods up to the desired replicas, and sets the status. On a failure it sets the ReplicaFailure condition
 * and throws. Returns when to sync again, where time alone makes a Pod available.
 */
export async function syncReplicas(
  owner: ReplicaOwner,
  actions: ReplicaActions,
  status: ReplicaCounts,
): Promise<RequeueAfter | undefined> {
  const all = await actions.pods();
  const matches = ({ metadata }: PodView): boolean => owner.selector.matches(metadata.labels);
  const active = await claimObjects(all.filter(isPodActive), { ...actions, owner, matches });
  const terminating = all.filter(
    (pod) => isPodTerminating(pod) && matches(pod) && pod.metadata.ownerReferences?.some(controlledBy(owner)),
  );
  const isTerminating = owner.metadata.deletionTimestamp !== undefined;
  const failure = isTerminating ? undefined : await manage(owner, actions, active);
  updateStatus(status, { owner, active, terminating: terminating.length, failure, nowMs: actions.nowMs });
  if (failure !== undefined) throw failure.error;
  if (owner.minReadySeconds === 0 || status.readyReplicas === status.availableReplicas) return undefined;
  const next = nextAvailableInMs(active, owner.minReadySeconds, actions.nowMs);
  return next === undefined ? undefined : actions.requeueAfter(`${next}ms`);
}

function controlledBy({ metadata: { uid } }: ReplicaOwner) {
  return (reference: { readonly uid: string; readonly controller?: boolean }): boolean =>
    reference.uid === uid && reference.controller === true;
}

async function manage(
  owner: ReplicaOwner,
  actions: ReplicaActions,
  active: readonly PodView[],
): Promise<ReplicaFailure | undefined> {
  const missing = Math.min(owner.replicas - active.length, burst);
  if (missing > 0) {
    const { error } = await slowStart(missing, () => createPod(owner.metadata.name, owner.template, actions));
    return error === undefined ? undefined : { reason: "FailedCreate", message: serverMessage(error), error };
  }
  const surplus = Math.min(-missing, burst);
  if (surplus <= 0) return undefined;
  const toDelete = podsToDelete(active, await actions.related(), surplus, actions.nowMs);
  const results = await Promise.allSettled(toDelete.map((pod) => deletePod(pod.metadata.name, actions)));
  const failed = results.find((result) => result.status === "rejected");
  if (failed === undefined) return undefined;
  const message = `unable to delete pods: ${serverMessage(failed.reason)}`;
  return { reason: "FailedDelete", message, error: failed.reason };
}
