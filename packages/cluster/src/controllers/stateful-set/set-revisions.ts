import { isAlreadyExists } from "@kubewright/core/errors";
import { byRevision, nextRevision, type RevisionView, revisionData } from "../revision/index.js";
import { canonicalJson, templateHash } from "../template-hash/index.js";
import type { SetRun } from "./set-actions.js";

const hashLabel = "controller.kubernetes.io/hash";
/** Leaves room for the hash in a revision name. */
const maxPrefix = 223;

/** The current and the update revision of a StatefulSet. */
export interface SetRevisions {
  /** The revision of `status.currentRevision`. */
  readonly current: RevisionView;
  /** The revision of the current template. */
  readonly update: RevisionView;
}

/**
 * Finds the ControllerRevision of the template, or creates it. After a rollback the revision gets the highest number. Name collisions
 * are counted in `status.collisionCount`.
 */
export async function findRevisions(run: SetRun, revisions: readonly RevisionView[]): Promise<SetRevisions> {
  const sorted = [...revisions].sort(byRevision);
  const { currentRevision } = run.status;
  const update = await updateRevision(run, sorted);
  return { current: sorted.find(({ metadata }) => metadata.name === currentRevision) ?? update, update };
}

async function updateRevision(run: SetRun, sorted: readonly RevisionView[]): Promise<RevisionView> {
  const { template } = run.set.spec;
  const data = revisionData(template);
  const text = canonicalJson(data);
  const equal = sorted.filter((revision) => canonicalJson(revision.data) === text).at(-1);
  const last = sorted.at(-1);
  if (equal !== undefined) return equal === last ? last : run.renumber(equal, nextRevision(sorted));
  return create(run, data, nextRevision(sorted));
}

async function create(run: SetRun, data: Record<string, unknown>, revision: number): Promise<RevisionView> {
  const { metadata, spec } = run.set;
  const collisions = run.status.collisionCount ?? 0;
  const labels = { ...spec.template.metadata?.labels, [hashLabel]: templateHash(data, collisions) };
  for (let tried = collisions; ; tried++) {
    run.status.collisionCount = tried;
    const name = `${metadata.name.slice(0, maxPrefix)}-${templateHash(data, tried)}`;
    try {
      const { annotations } = metadata;
      return await run.createRevision({
        metadata: { name, labels, ...(annotations && { annotations }) },
        data,
        revision,
      });
    } catch (error) {
      if (!isAlreadyExists(error)) throw error;
      const existing = await run.findRevision(name);
      if (existing === undefined) throw error;
      if (canonicalJson(existing.data) === canonicalJson(data)) return existing;
    }
  }
}
