/** A place where the embedded cluster differs from a real server, and why it may. */
export interface KnownDifference {
  /** The name of the case. */
  readonly case: string;
  /** Step and place, as a failure prints it; everything below it is meant too. A step alone (`2`) means all of it. */
  readonly at: string;
  /** One sentence. */
  readonly why: string;
}

/** Differences that have one reason: by the name of the case, where it differs. */
interface Reason {
  readonly why: string;
  readonly places: Readonly<Record<string, readonly string[]>>;
}

const reasons: readonly Reason[] = [
  {
    why: "Policies are written in CEL, which is not evaluated: they are refused, unless the server was started to take them without effect.",
    places: {
      "the form of a policy is checked": ["7"],
    },
  },
  {
    why: "The administrator of this server has no uid.",
    places: {
      "a CertificateSigningRequest is approved on a path of its own": [
        "3 body.spec.uid",
        "4 body.spec.uid",
        "6 body.spec.uid",
      ],
    },
  },
  {
    why: "CEL is not evaluated, and a warning says so.",
    places: {
      "rules in CEL are checked when they are defined": ["1"],
    },
  },
  {
    why: "Answers in protobuf are not there, so they are not offered.",
    places: {
      "an answer is written in YAML where that is asked for": ["2", "4"],
      "any form is JSON": ["3"],
    },
  },
  {
    why: "A JSON patch that replaces the whole object and has no value makes a real server drop the connection; here it is refused.",
    places: {
      "a JSON patch may replace the whole object by another, and by nothing else": ["9", "16"],
    },
  },
  {
    why: "A write to a Scale tracks managedFields as any other write does; a real server drops the time of the previous manager's entry.",
    places: {
      "the scale of a Deployment is read and written": ["5 body.metadata.managedFields[1].time"],
      "the scale of a custom resource is read and written": ["6 body.metadata.managedFields[1].time"],
      "a ReplicaSet gets its defaults, and is checked": ["15 body.metadata.managedFields[1].time"],
    },
  },
  {
    why: "The client that scales a custom resource from no replicas owns them; a real server records no owner, and fails for an apply.",
    places: {
      "a custom resource without replicas is scaled from zero by every type of patch": [
        "6 body.metadata.managedFields",
        "9 body.metadata.managedFields",
        "13 body.metadata.managedFields",
        "15",
      ],
    },
  },
  {
    why: "A write to a Scale that changes nothing is not stored; a real server stores managedFields in another order, which is a new resourceVersion.",
    places: {
      "a scale that changes nothing may store the owners of ports in another order, and the next write puts it back": [
        "2",
        "3",
        "4",
        "5",
        "6",
        "7",
        "8",
        "9",
        "10",
        "11",
        "12",
      ].map((step) => `${step} body.metadata.resourceVersion`),
    },
  },
  {
    why: "A pattern that gives two groups the same name is rejected by the RE2 port that is used here.",
    places: { "patterns are read as RE2 reads them": ["16"] },
  },
  {
    why: "The check digits of ISBNs and payment cards are not computed: no Kubernetes API has such fields.",
    places: { "formats are held by the server's own list": ["56", "58", "60", "62", "63"] },
  },
];

/**
 * Everything in which the embedded cluster is known to differ from the recordings. An entry that no longer differs fails the test: the
 * list can only shrink.
 */
export const knownDifferences: readonly KnownDifference[] = reasons.flatMap(({ why, places }) =>
  Object.entries(places).flatMap(([name, found]) => found.map((at) => ({ case: name, at, why }))),
);
