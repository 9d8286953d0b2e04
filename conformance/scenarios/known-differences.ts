/** A scenario in which the embedded cluster differs, and why it may. */
export interface KnownDifference {
  /** The name of the scenario. */
  readonly scenario: string;
  /** Places that may differ, at whatever step: `Deployment web.status.conditions`; everything below is meant too. Without them, all may. */
  readonly at?: readonly string[];
  /** One sentence. */
  readonly why: string;
}

/** Differences that have one reason: scenarios that differ in anything. */
interface Reason {
  readonly why: string;
  readonly scenarios: readonly string[];
}

const reasons: readonly Reason[] = [
  {
    why: 'The controllers of the area "deployment" are not there yet.',
    scenarios: [
      "a Deployment is created, scaled, updated and deleted",
      "a rolling update adds one pod and removes one at a time",
      "a rolling update with percentages rounds surge up and unavailability down",
      "a rolling update without surge removes before it adds",
      "old pods that are not ready go first in a rolling update",
      "a Deployment that is scaled while it rolls grows in proportion",
      "a paused Deployment is scaled, but not rolled out before it is resumed",
      "a Deployment goes back to a template it had, and counts its revisions on",
      "a Deployment keeps as many old ReplicaSets as its history limit says",
      "a Deployment says when it does not progress, and when it does again",
      "pods of a Deployment are available after they were ready for a while",
      "a Deployment adopts a ReplicaSet of its template, and leaves its pods when it goes as an orphan",
      "a Deployment whose ReplicaSet's name is taken counts the collision",
      "a Deployment tells that its pods are refused",
      "a Deployment changes its strategy in the middle of a rollout",
      "a Deployment with a selector of expressions is deleted while its pods hang",
    ],
  },
  {
    why: 'The controllers of the area "replica-set" are not there yet.',
    scenarios: [
      "a ReplicaSet adopts pods that fit, and releases those that no longer do",
      "a ReplicaSet leaves pods alone that another controls",
      "a ReplicaSet that shrinks keeps pods that are ready and dear",
      "a ReplicaSet that shrinks gives up pods without a node first",
      "a ReplicaSet tells that its pods are refused, and goes on when they no longer are",
      "a ReplicationController tells that its pods are refused",
    ],
  },
  {
    why: 'The controllers of the area "stateful-set" are not there yet.',
    scenarios: [
      "a StatefulSet makes its pods one after the other, and removes them the other way round",
      "a parallel StatefulSet makes and removes its pods at once",
      "a StatefulSet rolls its update out from the last pod to the first",
      "a StatefulSet with a partition updates only the pods above it",
      "a StatefulSet that updates on delete waits until its pods are deleted",
      "a StatefulSet begins to count where its ordinals say",
      "a StatefulSet makes claims for its pods, and keeps them when it shrinks and goes",
      "a StatefulSet deletes the claims of replicas that it no longer has, and all when it goes, if it is told so",
      "a StatefulSet whose update does not get ready stays, also when it is taken back, until the pod is deleted",
      "a StatefulSet may update several pods at once",
      "a StatefulSet keeps as many revisions as its limit says, and reuses one that comes back",
    ],
  },
  {
    why: 'The controllers of the area "job" are not there yet.',
    scenarios: [
      "a Job runs as many pods at once as it may, until enough have succeeded",
      "a Job of one pod is done at once",
      "a Job without a number of completions is done when one pod has succeeded and none runs",
      "a Job fails when its pods have failed too often, and waits longer each time",
      "a Job that allows no failure ends its other pods with the first that fails",
      "containers that are restarted in place count as failures of a Job",
      "an indexed Job runs each index until it has succeeded",
      "an indexed Job may be made smaller and larger",
      "an indexed Job counts failures by index",
      "an indexed Job fails when too many of its indexes have",
      "an indexed Job has succeeded when the indexes of its policy have",
      "a failure policy ends a Job at an exit code, and ignores disruptions",
      "a failure policy fails an index, and counts by rule",
      "a suspended Job has no pods, and begins anew when it is resumed",
      "a Job fails when its time is over",
      "a finished Job goes when its time to live is over",
      "a Job replaces pods that are deleted, at once or only when they have failed",
      "a Job is ready, active, terminating by its pods, and its pods keep their finalizer until they are counted",
      "a Job with a selector of its own takes pods that fit, and leaves those of others",
    ],
  },
];

/** Every scenario that differs. A replay fails when another does, and when one of these does not. */
export const knownDifferences: readonly KnownDifference[] = reasons.flatMap(({ why, scenarios }) =>
  scenarios.map((scenario) => ({ scenario, why })),
);
