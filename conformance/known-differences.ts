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

/** The same place in several steps; an empty place is the whole step. */
function at(place: string, ...steps: readonly number[]): string[] {
  return steps.map((step) => `${step} ${place}`.trim());
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
    why: "No client sends selfLink: the server drops it, also in the response to a dry run.",
    places: {
      "an update that creates keeps metadata that a create would leave out": ["3 body.metadata.selfLink"],
      "a link that is sent with a status comes back where nothing is stored": at("body.metadata.selfLink", 8, 9, 10),
    },
  },
  {
    why: "The test operation of a JSON patch compares values, not how their strings are escaped.",
    places: {
      "a test of a JSON patch compares its text with what Go writes": at("", 4, 5, 7, 10),
      "what a JSON patch brings keeps the spelling in which it was sent": at("", 3, 7, 9, 12),
    },
  },
  {
    why: "A JSON patch is read by RFC 6902: a path without a leading slash is rejected, and an operation of a wrong type is invalid.",
    places: {
      "operations of a JSON patch are taken as the server takes them": at("", 5, 6, 24, 25),
    },
  },
  {
    why: "Only apiVersion and kind in this spelling name the type of an object; in other letters they are unknown fields.",
    places: {
      "names of types in other letters are read by their order": ["5"],
    },
  },
  {
    why: "Null bytes are stored as empty ones, so that a write that repeats them changes nothing.",
    places: {
      "null bytes are stored as such, and shown as empty ones": at("body", 3, 4, 5, 6, 7, 8, 9, 10, 11, 12),
    },
  },
  {
    why: "An integer that does not fit its type is rejected, not cut to its bits.",
    places: {
      "numbers that do not fit are cut by a strategic merge patch": at("", 2, 3, 4, 5, 6),
      "a number that fits no integer is the least one": at("", 1, 2, 4),
    },
  },
  {
    why: "A patched object without an apiVersion keeps the version of the request, not a real server's internal type.",
    places: {
      "what replaces a whole object of a built-in kind without a version is read as Go's own struct, metadata and all":
        at("", ...[2, 3, 4, 5, 6, 7, 8, 10, 11]),
      "a custom resource that says it is something else is told what it has too much": at("", 42, 44, 46, 53, 55),
    },
  },
  {
    why: "An apply with empty metadata raises the resourceVersion, as on a real server; the next write without them does not.",
    places: {
      "metadata without effect in the configuration of a custom resource are a change each time": at(
        "body.metadata.resourceVersion",
        ...[3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16],
      ),
      "a second delete writes where an apply left something without effect": at(
        "body.metadata.resourceVersion",
        ...[4, 5, 6],
      ),
    },
  },
  {
    why: "A custom resource that does not fit its merge schema has managedFields all the same.",
    places: {
      "a stored object that does not fit its type, and so has no owners, is told of before the configuration": [
        ...at("body.metadata.managedFields", 1, 8, 9, 11),
        "4",
      ],
    },
  },
  {
    why: "A custom resource of another kind is rejected for its kind, without a look at the rest.",
    places: {
      "of another kind, lists and embedded resources are held to the schema all the same": at(
        "body.causes",
        ...[17, 18, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 35, 38, 39, 41, 42, 43, 44, 45, 46, 47, 48, 49, 52, 53],
        ...[55, 56, 57, 58, 59, 60, 61, 62, 63],
      ),
    },
  },
  {
    why: "An empty list in the body of a create or an update has no field manager.",
    places: {
      "objects of kinds without rules of their own are stored": ["6 body.metadata.managedFields"],
      "what the cluster is made of is disturbed": ["8 body.metadata.managedFields"],
      "an empty list that is sent has an owner where a real server prints it": at(
        "body.metadata.managedFields",
        ...[1, 2, 5, 10],
      ),
    },
  },
  {
    why: "YAML is read by the yaml package: keys that are lists or maps become strings, and clients send JSON.",
    places: {
      "malformed YAML is refused in the words of its reader": at("", 26, 29, 39, 47, 48),
      "words of YAML mean what they mean to Go": at("body.spec.v", 37, 50, 58),
      "of several documents the first counts, and maps are merged": ["7 headers.warning"],
    },
  },
];

/**
 * Everything in which the embedded cluster is known to differ from the recordings. An entry that no longer differs fails the test: the
 * list can only shrink.
 */
export const knownDifferences: readonly KnownDifference[] = reasons.flatMap(({ why, places }) =>
  Object.entries(places).flatMap(([name, found]) => found.map((at) => ({ case: name, at, why }))),
);
