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

      "a Deployment goes back to a template it had, and counts its revisions on",
      "a Deployment keeps as many old ReplicaSets as its history limit says",
      "a Deployment whose ReplicaSet's name is taken counts the collision",
    ],
  },
  {
    why: "A pod for which a new node has no room says so at once, not only when it is tried again.",
    at: ["Event Pod web-{hash1}-*", "Pod web-{hash1}-*"],
    scenarios: ["pods wait while there is no node, and are placed when nodes come"],
  },
];

/** Every scenario that differs. A replay fails when another does, and when one of these does not. */
export const knownDifferences: readonly KnownDifference[] = reasons.flatMap(({ why, at, scenarios }) =>
  scenarios.map((scenario) => ({ scenario, why, ...(at && { at }) })),
);
