import type { Duration } from "kubewright";
import { claim } from "../ownership/index.js";
import {
  isPodActive,
  isPodTerminating,
  makePod,
  nextAvailableInMs,
  type PodActions,
  type PodView,
  podsToDelete,
  removePod,
  serverText,
  slowStart,
} from "../pod/index.js";
import type { ReplicaFailure, ReplicaOwner } from "./replica-owner.js";
import { type ReplicaCounts, updateStatus } from "./replica-status.js";

/** How many pods are made or deleted in one run at most. */
const burst = 500;

/** What a run can do. */
export interface ReplicaActions extends PodActions {
  /** The pods that the owner controls, and those of its namespace that nothing controls. */
  readonly pods: () => Promise<readonly PodView[]>;
  /** The pods of all owners that belong together, such as those of one Deployment. */
  readonly related: () => Promise<readonly PodView[]>;
  readonly adopt: (name: string) => Promise<PodView>;
  readonly release: (name: string) => Promise<unknown>;
  readonly requeueAfter: (delay: Duration) => unknown;
  readonly nowMs: number;
}

/**
 * Makes or deletes pods until there are as many as wanted, and says in `status` how many there are. A failure is in the status too, and
 * thrown.
 */
export async function syncReplicas(owner: ReplicaOwner, actions: ReplicaActions, status: ReplicaCounts): Promise<void> {
  const all = await actions.pods();
  const matches = ({ metadata }: PodView): boolean => owner.selector.matches(metadata.labels);
  const active = await claim(all.filter(isPodActive), { ...actions, owner, matches });
  const terminating = all.filter(
    (pod) => isPodTerminating(pod) && matches(pod) && pod.metadata.ownerReferences?.some(controlledBy(owner)),
  );
  const isGoing = owner.metadata.deletionTimestamp !== undefined;
  const failure = isGoing ? undefined : await manage(owner, actions, active);
  updateStatus(status, { owner, active, terminating: terminating.length, failure, nowMs: actions.nowMs });
  if (failure !== undefined) throw failure.error;
  if (owner.minReadySeconds > 0 && status.readyReplicas !== status.availableReplicas) {
    const next = nextAvailableInMs(active, owner.minReadySeconds, actions.nowMs);
    if (next !== undefined) actions.requeueAfter(`${next}ms`);
  }
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
    const { error } = await slowStart(missing, () => makePod(owner.metadata.name, owner.template, actions));
    return error === undefined ? undefined : { reason: "FailedCreate", message: serverText(error), error };
  }
  const surplus = Math.min(-missing, burst);
  if (surplus <= 0) return undefined;
  const doomed = podsToDelete(active, await actions.related(), surplus, actions.nowMs);
  const results = await Promise.allSettled(doomed.map((pod) => removePod(pod.metadata.name, actions)));
  const failed = results.find((result) => result.status === "rejected");
  if (failed === undefined) return undefined;
  const message = `unable to delete pods: ${serverText(failed.reason)}`;
  return { reason: "FailedDelete", message, error: failed.reason };
}
