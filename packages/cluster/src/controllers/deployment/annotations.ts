import type { DeploymentView } from "./limits.js";
import type { ReplicaSetView } from "./replica-sets.js";

/** Annotations by their names. */
export type Annotations = Readonly<Record<string, string>>;

/** On a Deployment and its ReplicaSets: which roll-out this is. */
export const revisionAnnotation = "deployment.kubernetes.io/revision";
/** On a ReplicaSet: which roll-outs it was before. */
const historyAnnotation = "deployment.kubernetes.io/revision-history";
/** On a ReplicaSet: how many pods the Deployment wanted when it was last scaled. */
const desiredAnnotation = "deployment.kubernetes.io/desired-replicas";
/** On a ReplicaSet: how many pods the Deployment could have at most when it was last scaled. */
const maxAnnotation = "deployment.kubernetes.io/max-replicas";
/** On a Deployment: the revision that it is to go back to, 0 for the one before; from versions of the API long gone. */
export const rollbackAnnotation = "deprecated.deployment.rollback.to";

const ownAnnotations: ReadonlySet<string> = new Set([
  "kubectl.kubernetes.io/last-applied-configuration",
  revisionAnnotation,
  historyAnnotation,
  desiredAnnotation,
  maxAnnotation,
  rollbackAnnotation,
]);

/** The history of a ReplicaSet is cut off at the front beyond this. */
const maxHistoryLength = 2_000;

/** The number of the roll-out that an object belongs to: 0 where it does not say, undefined where what it says is no number. */
export function revisionOf({ metadata }: Pick<ReplicaSetView, "metadata">): number | undefined {
  const text = metadata.annotations?.[revisionAnnotation];
  return text === undefined ? 0 : integer(text);
}

/** The annotations of a Deployment that its ReplicaSets have as well. */
export function inherited({ metadata }: Pick<DeploymentView, "metadata">): Annotations {
  return Object.fromEntries(Object.entries(metadata.annotations ?? {}).filter(([name]) => !ownAnnotations.has(name)));
}

/** The annotations that are an object's own, and not passed on. */
export function notInherited({ metadata }: Pick<DeploymentView, "metadata">): Annotations {
  return Object.fromEntries(Object.entries(metadata.annotations ?? {}).filter(([name]) => ownAnnotations.has(name)));
}

/**
 * The annotations of the current ReplicaSet of a Deployment, given those that it has: the Deployment's, and its revision where it is older.
 * A ReplicaSet that becomes current again remembers what it was before.
 */
export function currentAnnotations(deployment: DeploymentView, existing: Annotations, revision: number): Annotations {
  const result: Record<string, string> = { ...existing, ...inherited(deployment) };
  const text = existing[revisionAnnotation] ?? "";
  const known = text === "" ? 0 : integer(text);
  if (known === undefined || known >= revision) return result;
  result[revisionAnnotation] = String(revision);
  if (Object.hasOwn(existing, revisionAnnotation)) {
    const history = withHistory(existing[historyAnnotation] ?? "", text);
    if (history !== undefined) result[historyAnnotation] = history;
  }
  return result;
}

function withHistory(history: string, revision: string): string | undefined {
  if (history === "" || history.startsWith(",")) return revision;
  const revisions = history.split(",");
  let length = history.length + revision.length + 1;
  let start = 0;
  for (; length > maxHistoryLength && start < revisions.length; start++) length -= (revisions[start]?.length ?? 0) + 1;
  return length > maxHistoryLength ? undefined : [...revisions.slice(start), revision].join(",");
}

/** The annotations that say how large the Deployment was when a ReplicaSet was scaled. */
export function sizeAnnotations(desired: number, max: number): Annotations {
  return { [desiredAnnotation]: String(desired), [maxAnnotation]: String(max) };
}

/** How many pods the Deployment wanted when this ReplicaSet was last scaled; undefined where that is not known. */
export function desiredBefore({ metadata }: ReplicaSetView): number | undefined {
  return count(metadata.annotations?.[desiredAnnotation]);
}

/** How many pods the Deployment could have when this ReplicaSet was last scaled; undefined where that is not known. */
export function maxBefore({ metadata }: ReplicaSetView): number | undefined {
  return count(metadata.annotations?.[maxAnnotation]);
}

/** Which annotations differ from those that are there. */
export function changedAnnotations(existing: Annotations | undefined, wanted: Annotations): Annotations {
  return Object.fromEntries(Object.entries(wanted).filter(([name, value]) => existing?.[name] !== value));
}

function integer(text: string): number | undefined {
  return /^[+-]?\d{1,15}$/.test(text) ? Number(text) : undefined;
}

function count(text: string | undefined): number | undefined {
  if (text === undefined || !/^\d{1,10}$/.test(text)) return undefined;
  const value = Number(text);
  return value > 2 ** 31 - 1 ? undefined : value;
}
