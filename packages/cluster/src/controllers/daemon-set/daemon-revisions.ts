import { isAlreadyExists } from "@kubewright/core/errors";
import type { DaemonSetStatus } from "kubewright/k8s/apps/v1";
import type { PodView } from "../pod/index.js";
import { byRevision, type NewRevision, nextRevision, type RevisionView, revisionData } from "../revision/index.js";
import { canonicalJson, templateHash } from "../template-hash/index.js";
import { type DaemonSetView, revisionLabel } from "./daemon-pod.js";

/** Actions on ControllerRevisions. */
interface RevisionActions {
  readonly find: (name: string) => Promise<RevisionView | undefined>;
  readonly create: (revision: NewRevision) => Promise<RevisionView>;
  readonly patch: (revision: RevisionView, patch: Readonly<Record<string, unknown>>) => Promise<RevisionView>;
  readonly delete: (revision: RevisionView) => Promise<unknown>;
  /** Writes the revision's hash to a Pod's label. */
  readonly relabel: (pod: PodView, hash: string) => Promise<unknown>;
}

/** The part of a DaemonSet sync that handles ControllerRevisions. */
export interface RevisionRun {
  readonly set: DaemonSetView;
  /** A draft, written at the end of the sync. */
  readonly status: DaemonSetStatus;
  readonly revisions: readonly RevisionView[];
  readonly revision: RevisionActions;
}

/** The ControllerRevisions of a DaemonSet. */
export interface DaemonRevisions {
  /** The controller-revision-hash label of the current template's Pods. */
  readonly hash: string;
  readonly old: readonly RevisionView[];
}

/**
 * Finds the ControllerRevision of the current template, or creates it. After a rollback the revision gets the highest
 * number. Of several equal revisions it keeps the latest. On a name collision it increments `collisionCount` and throws.
 */
export async function findRevisions(run: RevisionRun, pods: readonly PodView[]): Promise<DaemonRevisions> {
  const { revision: actions } = run;
  const template = canonicalJson(revisionData(run.set.spec.template));
  const isCurrent = ({ data }: RevisionView): boolean => canonicalJson(data) === template;
  const sorted = [...run.revisions].sort(byRevision);
  const old = sorted.filter((one) => !isCurrent(one));
  const revision = nextRevision(old);
  const same = sorted.filter(isCurrent);
  const latest = same.pop();
  const current = latest ?? (await snapshot(run, revision, isCurrent));
  const { name, labels } = current.metadata;
  const hash = labels?.[revisionLabel] ?? name;
  if (same.length > 0) {
    for (const pod of pods) if (pod.metadata.labels?.[revisionLabel] !== hash) await actions.relabel(pod, hash);
    for (const one of same) await actions.delete(one);
  }
  if (labels?.[revisionLabel] === undefined)
    await actions.patch(current, { metadata: { labels: { [revisionLabel]: name } } });
  if (current.revision < revision) await actions.patch(current, { revision });
  return { hash, old };
}

async function snapshot(
  { set: { metadata, spec }, status, revision: actions }: RevisionRun,
  revision: number,
  isCurrent: (revision: RevisionView) => boolean,
): Promise<RevisionView> {
  const hash = templateHash(spec.template, status.collisionCount);
  const name = `${metadata.name}-${hash}`;
  const labels = { ...spec.template.metadata?.labels, [revisionLabel]: hash };
  const { annotations } = metadata;
  try {
    const data = revisionData(spec.template);
    return await actions.create({ metadata: { name, labels, ...(annotations && { annotations }) }, data, revision });
  } catch (error) {
    const existing = isAlreadyExists(error) ? await actions.find(name) : undefined;
    if (existing === undefined) throw error;
    if (isCurrent(existing)) return existing;
    status.collisionCount = (status.collisionCount ?? 0) + 1;
    throw error;
  }
}
