import { createPod, deletePod, nextAvailableInMs, type PodActions, type PodView, slowStart } from "../pod/index.js";
import { type RevisionView, surplusRevisions } from "../revision/index.js";
import { revisionLabel, templateFor } from "./daemon-pod.js";
import { daemonView, type Plan } from "./daemon-pods.js";
import { findRevisions, type RevisionRun } from "./daemon-revisions.js";
import { updateStatus } from "./daemon-status.js";
import type { FailureBackoff } from "./failure-backoff.js";
import { manage } from "./manage.js";
import type { NodeView } from "./node-fit.js";
import { rollingUpdate } from "./rolling-update.js";

/** The maximum of Pods that one sync creates or deletes (BurstReplicas). */
const burst = 250;

/** One sync of a DaemonSet: the set, its objects from the cache, and the available actions. */
export interface DaemonRun extends PodActions, RevisionRun {
  readonly nowMs: number;
  readonly nodes: readonly NodeView[];
  readonly backoff: FailureBackoff;
  /** The current Pods of the set. */
  readonly pods: () => Promise<readonly PodView[]>;
  readonly requeueAfter: (ms: number) => void;
}

/** Syncs a DaemonSet: creates, deletes or updates Pods, and sets the status. */
export async function syncDaemonSet(run: DaemonRun): Promise<void> {
  const { set, status, nowMs, nodes } = run;
  const before = await run.pods();
  const { hash, old } = await findRevisions(run, before);
  const { generation = 0 } = set.metadata;
  try {
    const view = daemonView({ set, hash, nowMs }, nodes, before);
    const missing = manage(view, {
      ...run,
      failureBackoffMs: (node) => run.backoff.waitMs(`${set.metadata.uid}/${generation}/${node}`, nowMs),
    });
    // The writes return as watch events, which trigger the next step.
    if (isEmpty(missing)) {
      if ((set.spec.updateStrategy?.type ?? "RollingUpdate") === "RollingUpdate")
        await applyPlan(run, rollingUpdate(view), hash);
    } else await applyPlan(run, missing, hash);
    await cleanUp(run, old, before);
  } finally {
    const pods = await run.pods();
    updateStatus(status, daemonView({ set, hash, nowMs }, nodes, pods));
    const { minReadySeconds = 0 } = set.spec;
    const nextMs = minReadySeconds > 0 ? nextAvailableInMs(pods, minReadySeconds, nowMs) : undefined;
    if (nextMs !== undefined) run.requeueAfter(nextMs);
  }
}

function isEmpty(plan: Plan): boolean {
  return plan.create.length + plan.delete.length === 0;
}

async function applyPlan(run: DaemonRun, plan: Plan, hash: string): Promise<void> {
  const { set } = run;
  const nodes = plan.create.slice(0, burst);
  const { error } = await slowStart(nodes.length, (index) =>
    createPod(set.metadata.name, templateFor(set, nodes[index] ?? "", hash), run),
  );
  const deletes = await Promise.allSettled(plan.delete.slice(0, burst).map((name) => deletePod(name, run)));
  const failed = deletes.find((result) => result.status === "rejected");
  if (error !== undefined) throw error;
  if (failed !== undefined) throw failed.reason;
}

async function cleanUp(run: DaemonRun, old: readonly RevisionView[], pods: readonly PodView[]): Promise<void> {
  const live = new Set(pods.map(({ metadata }) => metadata.labels?.[revisionLabel]));
  const limit = run.set.spec.revisionHistoryLimit ?? 10;
  const isLive = ({ metadata }: RevisionView) => live.has(metadata.labels?.[revisionLabel]);
  // Live revisions count toward the limit, and are never deleted.
  const kept = Math.max(0, limit - old.filter(isLive).length);
  for (const revision of surplusRevisions(old, isLive, kept)) await run.revision.delete(revision);
}
