import type { DeploymentView } from "./limits.js";
import type { ReplicaSetView } from "./replica-sets.js";

/** Annotations by name. */
export type Annotations = Readonly<Record<string, string>>;

/** On a Deployment and its ReplicaSets: the revision number. */
export const revisionAnnotation = "deployment.kubernetes.io/revision";
/** On a ReplicaSet: its earlier revision numbers. */
const historyAnnotation = "deployment.kubernetes.io/revision-history";
/** On a ReplicaSet: `spec.replicas` of the Deployment when the ReplicaSet was last scaled. */
const desiredAnnotation = "deployment.kubernetes.io/desired-replicas";
/** On a ReplicaSet: `spec.replicas` plus maxSurge of the Deployment when the ReplicaSet was last scaled. */
const maxAnnotation = "deployment.kubernetes.io/max-replicas";
/** On a Deployment: the revision to roll back to, 0 for the previous one. It replaces the rollbackTo field of extensions/v1beta1. */
export const rollbackAnnotation = "deprecated.deployment.rollback.to";

const ownAnnotations: ReadonlySet<string> = new Set([
  "kubectl.kubernetes.io/last-applied-configuration",
  revisionAnnotation,
  historyAnnotation,
  desiredAnnotation,
  maxAnnotation,
  rollbackAnnotation,
]);

/** The revision history drops its oldest entries beyond this length. */
const maxHistoryLength = 2_000;

/** The revision number of an object: 0 if it has none, undefined if it is not a number. */
export function revisionOf({ metadata }: Pick<ReplicaSetView, "metadata">): bigint | undefined {
  const text = metadata.annotations?.[revisionAnnotation];
  return text === undefined ? 0n : parseInt64(text);
}

/** The annotations that a Deployment copies to its ReplicaSets. */
export function inherited({ metadata }: Pick<DeploymentView, "metadata">): Annotations {
  return Object.fromEntries(Object.entries(metadata.annotations ?? {}).filter(([name]) => !ownAnnotations.has(name)));
}

/** The annotations that a Deployment does not copy. */
export function notInherited({ metadata }: Pick<DeploymentView, "metadata">): Annotations {
  return Object.fromEntries(Object.entries(metadata.annotations ?? {}).filter(([name]) => ownAnnotations.has(name)));
}

/**
 * The annotations of the current ReplicaSet: the existing ones, the Deployment's, and the new revision if the existing one is lower. A
 * ReplicaSet that becomes current again keeps its earlier revision in the history.
 */
export function currentAnnotations(deployment: DeploymentView, existing: Annotations, revision: bigint): Annotations {
  const result: Record<string, string> = { ...existing, ...inherited(deployment) };
  const text = existing[revisionAnnotation] ?? "";
  const known = text === "" ? 0n : parseInt64(text);
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

/** The annotations that record the size of the Deployment. */
export function sizeAnnotations(desired: number, max: number): Annotations {
  return { [desiredAnnotation]: String(desired), [maxAnnotation]: String(max) };
}

/** `spec.replicas` of the Deployment when this ReplicaSet was last scaled; undefined if unknown. */
export function lastDesiredReplicas({ metadata }: ReplicaSetView): number | undefined {
  return count(metadata.annotations?.[desiredAnnotation]);
}

/** The maximum replicas of the Deployment when this ReplicaSet was last scaled; undefined if unknown. */
export function lastMaxReplicas({ metadata }: ReplicaSetView): number | undefined {
  return count(metadata.annotations?.[maxAnnotation]);
}

/** The desired annotations that differ from the existing ones. */
export function changedAnnotations(existing: Annotations | undefined, desired: Annotations): Annotations {
  return Object.fromEntries(Object.entries(desired).filter(([name, value]) => existing?.[name] !== value));
}

/** An int64 as Go's `strconv.ParseInt` reads it; undefined if it is none. */
export function parseInt64(text: string): bigint | undefined {
  if (!/^[+-]?\d+$/.test(text)) return undefined;
  const value = BigInt(text);
  return BigInt.asIntN(64, value) === value ? value : undefined;
}

function count(text: string | undefined): number | undefined {
  if (text === undefined || !/^\d{1,10}$/.test(text)) return undefined;
  const value = Number(text);
  return value > 2 ** 31 - 1 ? undefined : value;
}
