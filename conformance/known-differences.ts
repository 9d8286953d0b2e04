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
    why: "FlowSchemas and PriorityLevelConfigurations are stored without defaults, validation or columns: this server does not queue requests.",
    places: {
      "a FlowSchema gets its defaults, and is checked": ["1", "2", "3", "4", "5", "6"],
      "a PriorityLevelConfiguration gets its defaults, and is checked": [
        "1",
        "2",
        "3",
        "4",
        "5",
        "6",
        "7",
        "8",
        "9",
        "10",
      ],
      "who may do what is disturbed": ["3", "5 body.metadata.uid"],
    },
  },
  {
    why: "An error names the volume source by its field; a real server misspells two of them.",
    places: { "every source of a volume is checked": ["1 body.causes[20]", "1 body.causes[21]"] },
  },
  {
    why: "The rows of a table carry all annotations of the object; a real server drops those that its internal type has as fields.",
    places: {
      "a DaemonSet gets its defaults, and is checked": [
        "2 body.rows[0].object.metadata.annotations",
        "14 body.rows[0].object.metadata.annotations",
      ],
      "every sort of metric and of current metric is seen in the old version, and comes back": [
        "3 body.rows[0].object.metadata.annotations",
      ],
    },
  },
  {
    why: "A row has a cell for each column; a real server adds one more to the rows of IPAddresses.",
    places: { "addresses and ranges of Services are objects": ["8 body.rows[0].cells"] },
  },
];

/**
 * Everything in which the embedded cluster is known to differ from the recordings. An entry that no longer differs fails the test: the
 * list can only shrink.
 */
export const knownDifferences: readonly KnownDifference[] = reasons.flatMap(({ why, places }) =>
  Object.entries(places).flatMap(([name, found]) => found.map((at) => ({ case: name, at, why }))),
);
