/** A scenario in which the embedded cluster differs, and why it may. */
export interface KnownDifference {
  /** The name of the scenario. */
  readonly scenario: string;
  /** Places that may differ, at whatever step: `Deployment web.status.conditions`; everything below is meant too. Without them, all may. */
  readonly at?: readonly string[];
  /** One sentence. */
  readonly why: string;
}

/** Differences that have one reason, in some places of the scenarios or in any. */
interface Reason {
  readonly why: string;
  readonly at?: readonly string[];
  readonly scenarios: readonly string[];
}

const reasons: readonly Reason[] = [
  {
    why: "Events that are combined keep the note that they began with: those of events.k8s.io cannot change it.",
    at: ["Event Deployment web"],
    scenarios: [
      "a rolling update adds one pod and removes one at a time",
      "a Deployment that is scaled while it rolls grows in proportion",
      "a Deployment keeps as many old ReplicaSets as its history limit says",
    ],
  },
  {
    why: "Quotas are not counted yet.",
    scenarios: [
      "a Deployment tells that its pods are refused",
      "a ReplicaSet tells that its pods are refused, and goes on when they no longer are",
      "a ReplicationController tells that its pods are refused",
    ],
  },
  {
    why: "The scheduler sees that a claim goes before its pod does, and says so.",
    at: ["Event Pod db-1"],
    scenarios: [
      "a StatefulSet deletes the claims of replicas that it no longer has, and all when it goes, if it is told so",
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
export const knownDifferences: readonly KnownDifference[] = reasons.flatMap(({ why, at, scenarios }) =>
  scenarios.map((scenario) => ({ scenario, why, ...(at && { at }) })),
);
