import { hashLabel, isSameTemplate } from "../template-hash/index.js";
import { inherited, notInherited, parseInt64, revisionOf, rollbackAnnotation } from "./annotations.js";
import type { DeploymentView } from "./limits.js";
import { allOf, type ReplicaSets, type ReplicaSetView } from "./replica-sets.js";
import type { Rollout } from "./rollout.js";

/** The revision to roll back to, 0 for the previous one; undefined if no rollback is requested. */
export function rollbackTarget({ metadata }: DeploymentView): bigint | undefined {
  return parseInt64(metadata.annotations?.[rollbackAnnotation] ?? "");
}

/** Restores the template and annotations of an earlier revision. It always removes the rollback annotation. */
export async function rollBack(rollout: Rollout, sets: ReplicaSets, target: bigint): Promise<void> {
  const { deployment, event, patch } = rollout;
  const done = { metadata: { annotations: { [rollbackAnnotation]: null } } };
  const all = allOf(sets);
  const revision = target === 0n ? lastRevision(all) : target;
  const set = revision === 0n ? undefined : all.find((one) => revisionOf(one) === revision);
  const { name } = deployment.metadata;
  if (set === undefined) {
    const what = revision === 0n ? "Unable to find last revision." : "Unable to find the revision to rollback to.";
    event("Warning", "DeploymentRollbackRevisionNotFound", what);
    await patch(done);
  } else if (isSameTemplate(set.spec.template ?? {}, deployment.spec.template)) {
    const note = `The rollback revision contains the same template as current deployment "${name}"`;
    event("Warning", "DeploymentRollbackTemplateUnchanged", note);
    await patch(done);
  } else {
    await patch(rollbackPatch(deployment, set));
    event("Normal", "DeploymentRollback", `Rolled back deployment "${name}" to revision ${revision}`);
  }
}

/** The second highest revision. */
function lastRevision(sets: readonly ReplicaSetView[]): bigint {
  const revisions = sets.flatMap((set) => revisionOf(set) ?? []).sort((a, b) => (a < b ? 1 : -1));
  return revisions[1] ?? 0n;
}

/** Keeps the Deployment's own annotations, takes the others from the ReplicaSet, and replaces the whole template. */
function rollbackPatch(deployment: DeploymentView, set: ReplicaSetView): Readonly<Record<string, unknown>> {
  const { [rollbackAnnotation]: _, ...own } = notInherited(deployment);
  const { template = {} } = set.spec;
  const { [hashLabel]: _hash, ...labels } = template.metadata?.labels ?? {};
  return {
    metadata: { annotations: mergePatch(deployment.metadata.annotations ?? {}, { ...own, ...inherited(set) }) },
    spec: {
      template: mergePatch(deployment.spec.template, { ...template, metadata: { ...template.metadata, labels } }),
    },
  };
}

type Fields = Readonly<Record<string, unknown>>;

/** The merge patch from `before` to `after`. */
function mergePatch(before: Fields | object, after: Fields | object): Fields {
  const result: Record<string, unknown> = {};
  for (const key of Object.keys(before)) result[key] = null;
  for (const [key, value] of Object.entries(after)) {
    const known = (before as Fields)[key];
    result[key] = isFields(known) && isFields(value) ? mergePatch(known, value) : value;
  }
  return result;
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
