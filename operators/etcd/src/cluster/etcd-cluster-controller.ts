import { type Controller, controller, type Duration, every } from "kubewright";
import type { EtcdMembers } from "../members/etcd-members.js";
import { EtcdCluster } from "../resources/etcd-cluster.js";
import { bootstrap } from "./bootstrap.js";
import {
  type ClusterContext,
  type ClusterRun,
  clusterOwns,
  clusterUses,
  type Progress,
  progressConditions,
  type Step,
} from "./context.js";
import { defragment } from "./defragment.js";
import type { EtcdMetrics } from "./etcd-metrics.js";
import { grow, promote } from "./grow.js";
import { memberOf, scopeAnnotation } from "./names.js";
import { connectionTo, observe } from "./observe.js";
import { operatorCredentials } from "./operator-credentials.js";
import { reportPlacement } from "./placement.js";
import { handleAlarms } from "./reclaim-space.js";
import { recoverQuorum } from "./recover.js";
import { removeStrangers } from "./remove-strangers.js";
import { replaceDeadMember } from "./replace-member.js";
import { report } from "./report.js";
import { applyServices } from "./services.js";
import { shrink } from "./shrink.js";
import { forgetRestarts, startMembers } from "./start-members.js";
import { upgrade } from "./upgrade.js";
import { plainVersion, whyNotUpgradable } from "./version.js";

/** The order matters: first what keeps data, then what keeps the cluster available, then what the spec asks for. */
const steps: readonly Step[] = [
  bootstrap,
  startMembers,
  recoverQuorum,
  removeStrangers,
  forgetRestarts,
  replaceDeadMember,
  handleAlarms,
  reportPlacement,
  shrink,
  promote,
  grow,
  upgrade,
  defragment,
];

/** Nothing happens in etcd that the API server would not show, except for alarms and sizes of databases. */
const steady: Progress = { again: "60s" };

export interface EtcdClusterOptions {
  readonly etcd: EtcdMembers;
  /** Whether this operator works on the EtcdClusters with the annotation `scope: clusterwide`, instead of those without. @default false */
  readonly clusterWide?: boolean;
  /** How often each EtcdCluster is reconciled in any case. @default only on changes */
  readonly gcInterval?: Duration;
  readonly metrics: EtcdMetrics;
}

/**
 * Keeps an etcd cluster for each EtcdCluster.
 *
 * A run observes everything, and makes one change: the first step that has something to do. What was done before follows from what is observed, in the API
 * server and in etcd; so a run that crashes between any two changes is continued by the next one.
 */
export function etcdClusterController({
  etcd,
  clusterWide = false,
  gcInterval,
  metrics,
}: EtcdClusterOptions): Controller {
  return controller(EtcdCluster, {
    name: "etcd-cluster",
    workers: 8,
    timeout: "5m",
    owns: clusterOwns,
    uses: clusterUses,
    sources: gcInterval === undefined ? [] : [every(gcInterval)],
    gone: ({ namespace, name }) => metrics.gone(`${namespace}/${name}`, name),
    reconcile: async (context) => {
      const { object, status, conditions, requeueAfter, clock } = context;
      const { namespace, name, annotations, generation } = object.metadata;
      if ((annotations?.[scopeAnnotation] === "clusterwide") !== clusterWide) return;
      const observed = object.status?.observedGeneration;
      const isModified = observed !== undefined && observed !== generation;
      metrics.seen(
        `${namespace}/${name}`,
        object.status === undefined ? "created" : isModified ? "modified" : "unchanged",
      );
      status.controlPaused = object.spec.paused ?? false;
      if (status.controlPaused) {
        conditions.set("Paused", {
          status: true,
          reason: "SpecPaused",
          message: "spec.paused is true: nothing is changed",
        });
        return;
      }
      conditions.remove("Paused");
      const { phase } = status;
      const startedMs = clock.monotonic();
      const { shows, again } = await reconcileCluster(context, etcd).catch((error: unknown) => {
        metrics.runFailed(error);
        throw error;
      });
      metrics.took(name, clock.monotonic() - startedMs);
      if (status.phase === "Failed" && phase !== "Failed") metrics.failed();
      if (conditions.get("Available")?.reason === "QuorumLost") metrics.runFailed("lost quorum");
      for (const type of progressConditions) if (type !== shows) conditions.remove(type);
      return requeueAfter(again);
    },
  });
}

async function reconcileCluster(context: ClusterContext, etcd: EtcdMembers): Promise<Progress> {
  const { object, status, conditions } = context;
  await applyServices(context);
  const found = await operatorCredentials(context);
  if (found.kind === "missing") {
    conditions.set("Blocked", { status: true, reason: "SecretMissing", message: found.message });
    return steady;
  }
  const credentials = found.kind === "given" ? found.credentials : undefined;
  const view = await observe(context, { etcd, credentials });
  await report(context, view);
  const foreign = view.list?.find(
    ({ name, peerURLs }) => name === "" && memberOf(object, peerURLs[0] ?? "") === undefined,
  );
  if (foreign !== undefined) {
    status.phase = "Failed";
    status.reason = `Member ${foreign.id} has the peer URL ${foreign.peerURLs.join()}, which is not of this cluster: remove it with etcdctl`;
    return steady;
  }
  if (status.phase === "Failed") {
    status.phase = "Running";
    status.reason = undefined;
  }

  const wanted = plainVersion(object.spec.version);
  const why = whyNotUpgradable(wanted, status);
  if (why === undefined) conditions.remove("Blocked");
  else conditions.set("Blocked", { status: true, reason: "VersionNotSupported", message: why });
  const run: ClusterRun = {
    context,
    view,
    etcd,
    connect: ({ pod }) => pod && connectionTo(object, pod, credentials),
    version: why === undefined ? wanted : (status.currentVersion ?? wanted),
  };
  for (const step of steps) {
    const progress = await step(run);
    if (progress !== undefined) return progress;
  }
  return steady;
}
