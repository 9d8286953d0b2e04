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
      "a rolling update with percentages rounds surge up and unavailability down",
      "a Deployment that is scaled while it rolls grows in proportion",
      "a paused Deployment is scaled, but not rolled out before it is resumed",
      "a Deployment goes back to a template it had, and counts its revisions on",
      "a Deployment keeps as many old ReplicaSets as its history limit says",
      "a Deployment whose ReplicaSet's name is taken counts the collision",
    ],
  },
  {
    why: "A real controller that is slow to write its status may not notice that a new ReplicaSet has got its first pod.",
    at: ["Deployment web.status.conditions.Progressing"],
    scenarios: ["a Deployment says when it does not progress, and when it does again"],
  },
  {
    why: "How long pods have been ready depends on how long the steps took when they were recorded.",
    at: [
      "ReplicaSet set.status.availableReplicas",
      "StatefulSet db.status.availableReplicas",
      "DaemonSet agent.status.numberAvailable",
      "DaemonSet agent.status.numberUnavailable",
    ],
    scenarios: [
      "a ReplicaSet counts pods that are stopping, and makes new ones at once",
      "a DaemonSet replaces pods that have failed",
    ],
  },
  {
    why: "How far a StatefulSet is when a pod ends depends on how long the steps took when they were recorded.",
    scenarios: ["a StatefulSet replaces pods that have ended"],
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
    why: "Nodes were recorded without the controllers that taint them and evict pods, and with a scheduler that may see them late.",
    at: ["Event Pod agent-*", "Node n1.spec.taints", "Node n2.spec.taints"],
    scenarios: [
      "a DaemonSet has a pod on every node that its selector names, as nodes and labels come and go",
      "a DaemonSet keeps away from nodes whose taints it does not tolerate",
    ],
  },
  {
    why: 'What the area "cron-job" is about is not there yet, or not all of it.',
    scenarios: [
      "CronJobs run beside, in place of, or not beside a Job that still runs",
      "a CronJob keeps as many finished Jobs as it should",
      "a suspended CronJob starts nothing, and its Jobs are made from its template",
    ],
  },
  {
    why: 'What the area "autoscaler" is about is not there yet, or not all of it.',
    scenarios: [
      "an autoscaler without metrics says so, and keeps to its bounds",
      "an autoscaler whose target is missing or has no scale says so",
      "an autoscaler follows what pods use",
    ],
  },
  {
    why: 'What the area "volumes" is about is not there yet, or not all of it.',
    scenarios: ["a volume and a claim may name each other"],
  },
  {
    why: 'What the area "job" is about is not there yet, or not all of it.',
    scenarios: [
      "a Job runs as many pods at once as it may, until enough have succeeded",
      "a Job of one pod is done with it, and one without a number of completions when a pod has succeeded and none runs",
      "a Job fails when its pods have failed too often, and waits longer each time",
      "containers that are restarted in place count as failures of a Job, and time can be over",
      "an indexed Job runs each index until it has succeeded",
      "an indexed Job counts failures by index, and fails when too many have",
      "an indexed Job has succeeded when the indexes of its policy have",
      "failure policies end a Job or an index at an exit code, and ignore disruptions",
      "a suspended Job has no pods, and begins anew when it is resumed",
      "a Job replaces pods that are deleted, at once or only when they have failed",
      "a Job is ready, active, terminating by its pods, and its pods keep their finalizer until they are counted",
      "a Job that others manage is left alone, and one with a selector of its own takes pods that fit",
    ],
  },
  {
    why: 'What the area "endpoints" is about is not there yet, or not all of it.',
    scenarios: ["endpoints follow the pods of a Deployment that rolls"],
  },
  {
    why: 'What the area "quota" is about is not there yet, or not all of it.',
    scenarios: [
      "a quota counts what there is, and refuses what is too much",
      "a quota with scopes counts only what is in them",
      "a quota counts the pods of a Deployment, and storage that is asked for",
    ],
  },
  {
    why: 'What the area "namespace" is about is not there yet, or not all of it.',
    scenarios: [
      "a namespace has a default service account and the root certificate, which come back when they are deleted or changed",
    ],
  },
  {
    why: 'What the area "certificates" is about is not there yet, or not all of it.',
    scenarios: ["certificates are signed when they were approved and fit their signer"],
  },
  {
    why: 'What the area "scheduler" is about is not there yet, or not all of it.',
    scenarios: [
      "pods go to tainted nodes only where they tolerate it",
      "a pod of high priority takes the place of one of low priority",
      "pods wait while there is no node, and are placed when nodes come",
    ],
  },
  {
    why: 'What the area "node-lifecycle" is about is not there yet, or not all of it.',
    scenarios: [
      "a node that is not ready is tainted, and its pods go when they tolerate it no longer",
      "a node that is silent becomes unknown, and comes back",
      "a taint that no pod may stay under evicts those that do not tolerate it",
      "a cordoned node is tainted, and so is one under pressure",
      "pods of a node that is gone are collected",
    ],
  },
];

/** Every scenario that differs. A replay fails when another does, and when one of these does not. */
export const knownDifferences: readonly KnownDifference[] = reasons.flatMap(({ why, at, scenarios }) =>
  scenarios.map((scenario) => ({ scenario, why, ...(at && { at }) })),
);
