import { isAlreadyExists } from "@kubewright/core/errors";
import { controllerOf } from "@kubewright/core/meta";
import { isNamespaceTerminating, serverMessage } from "../pod/index.js";
import { hashLabel, isSameTemplate, templateHash } from "../template-hash/index.js";
import {
  type Annotations,
  changedAnnotations,
  currentAnnotations,
  revisionAnnotation,
  revisionOf,
  sizeAnnotations,
} from "./annotations.js";
import { conditionFrom, conditionOf, withCondition } from "./conditions.js";
import { desiredReplicas, isRolling, maxSurge, progressDeadline } from "./limits.js";
import { type ReplicaSetView, sizeOf, total } from "./replica-sets.js";
import type { NewReplicaSet, Rollout } from "./rollout.js";

/** The maximum length of an object name. */
const maxName = 253;

/** Updates the current ReplicaSet with the Deployment's annotations, revision and minReadySeconds. */
export async function updateCurrent(
  rollout: Rollout,
  current: ReplicaSetView,
  old: readonly ReplicaSetView[],
): Promise<ReplicaSetView> {
  const { deployment, change, setRevision } = rollout;
  const existing = current.metadata.annotations ?? {};
  const annotations = changedAnnotations(existing, currentAnnotations(deployment, existing, nextRevision(old)));
  const { minReadySeconds = 0 } = deployment.spec;
  const isOutdated = (current.spec.minReadySeconds ?? 0) !== minReadySeconds;
  if (isOutdated || Object.keys(annotations).length > 0)
    return change(current, { annotations, ...(isOutdated && { minReadySeconds }) });
  const revision = existing[revisionAnnotation] ?? "";
  if (deployment.metadata.annotations?.[revisionAnnotation] !== revision) await setRevision(revision);
  if (conditionOf(rollout.status.conditions, "Progressing") === undefined)
    setProgressing(rollout, "True", "FoundNewReplicaSet", `Found new replica set "${current.metadata.name}"`);
  return current;
}

/**
 * Creates the ReplicaSet of the current template. Returns undefined if the namespace is terminating. On a name collision it increments
 * `collisionCount`, which changes the hash of the next attempt, and throws.
 */
export async function createCurrent(
  rollout: Rollout,
  old: readonly ReplicaSetView[],
): Promise<ReplicaSetView | undefined> {
  const { deployment, create, setRevision, event } = rollout;
  const hash = templateHash(deployment.spec.template, rollout.status.collisionCount);
  const revision = nextRevision(old);
  const replicas = initialSize(rollout, old);
  const desired = newReplicaSet(rollout, hash, revision, replicas);
  const { name } = desired.metadata;
  let created: ReplicaSetView | undefined;
  try {
    created = await create(desired);
  } catch (error) {
    if (isNamespaceTerminating(error)) return undefined;
    if (isAlreadyExists(error)) {
      const found = await rollout.find(name);
      if (found === undefined) throw error;
      if (!isOwn(rollout, found)) {
        rollout.status.collisionCount = (rollout.status.collisionCount ?? 0) + 1;
        throw error;
      }
      if (deployment.metadata.annotations?.[revisionAnnotation] !== String(revision))
        await setRevision(String(revision));
      return found;
    }
    const message = `Failed to create new replica set "${name}": ${serverMessage(error)}`;
    setProgressing(rollout, "False", "ReplicaSetCreateError", message);
    event("Warning", "ReplicaSetCreateError", message);
    throw error;
  }
  if (replicas > 0) event("Normal", "ScalingReplicaSet", `Scaled up replica set ${name} from 0 to ${replicas}`);
  if (deployment.metadata.annotations?.[revisionAnnotation] !== String(revision)) await setRevision(String(revision));
  setProgressing(rollout, "True", "NewReplicaSetCreated", `Created new replica set "${name}"`);
  return created;
}

/** The replicas that the current ReplicaSet may have now, given all ReplicaSets. */
export function currentSize({ deployment }: Rollout, all: readonly ReplicaSetView[], size: number): number {
  const desired = desiredReplicas(deployment);
  if (!isRolling(deployment)) return desired;
  const room = desired + maxSurge(deployment) - total(all, sizeOf);
  return room <= 0 ? size : size + Math.min(room, desired - size);
}

function initialSize(rollout: Rollout, old: readonly ReplicaSetView[]): number {
  return currentSize(rollout, old, 0);
}

function isOwn({ deployment }: Rollout, set: ReplicaSetView): boolean {
  return (
    controllerOf(set)?.uid === deployment.metadata.uid &&
    isSameTemplate(deployment.spec.template, set.spec.template ?? {})
  );
}

/** The next revision. After the highest int64 Go wraps around to a negative one. */
function nextRevision(old: readonly ReplicaSetView[]): bigint {
  const [max = 0n] = old.map((set) => revisionOf(set) ?? 0n).sort((a, b) => (a < b ? 1 : -1));
  return BigInt.asIntN(64, (max < 0n ? 0n : max) + 1n);
}

function newReplicaSet({ deployment }: Rollout, hash: string, revision: bigint, replicas: number): NewReplicaSet {
  const { metadata, spec } = deployment;
  const labels: Annotations = { ...spec.template.metadata?.labels, [hashLabel]: hash };
  const desired = desiredReplicas(deployment);
  return {
    metadata: {
      name: `${metadata.name.slice(0, maxName - hash.length - 1)}-${hash}`,
      labels,
      annotations: {
        ...currentAnnotations(deployment, {}, revision),
        ...sizeAnnotations(desired, desired + maxSurge(deployment)),
      },
    },
    spec: {
      replicas,
      minReadySeconds: spec.minReadySeconds,
      selector: { ...spec.selector, matchLabels: { ...spec.selector.matchLabels, [hashLabel]: hash } },
      template: { ...spec.template, metadata: { ...spec.template.metadata, labels } },
    },
  };
}

function setProgressing(rollout: Rollout, status: "True" | "False", reason: string, message: string): void {
  if (progressDeadline(rollout.deployment) === undefined) return;
  const condition = conditionFrom({ type: "Progressing", status, reason, message }, rollout.nowMs);
  rollout.status.conditions = [...withCondition(rollout.status.conditions ?? [], condition)];
}
