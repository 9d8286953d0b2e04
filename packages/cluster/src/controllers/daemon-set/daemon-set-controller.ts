import { deepEqual } from "@kubewright/core/json";
import { controllerOf } from "@kubewright/core/meta";
import { type Controller, controller, select, untracked, watch } from "kubewright";
import { ControllerRevision, DaemonSet } from "kubewright/k8s/apps/v1";
import { Node, Pod } from "kubewright/k8s/core/v1";
import { byController, claimObjects, ownedBy, selectorOf, unownedIn } from "../ownership/index.js";
import { podsByController } from "../pod/index.js";
import { type DaemonSetView, revisionLabel } from "./daemon-pod.js";
import { FailureBackoff } from "./failure-backoff.js";
import { type NodeView, nodeFit } from "./node-fit.js";
import { syncDaemonSet } from "./sync-daemon-set.js";

/** The DaemonSet controller: runs one Pod of each DaemonSet on every eligible node. */
export function daemonSetController(): Controller {
  const backoff = new FailureBackoff();
  return controller(DaemonSet, {
    name: "daemonset-controller",
    fieldManager: "kube-controller-manager",
    workers: 2,
    owns: [Pod, ControllerRevision],
    uses: [
      podsByController,
      untracked(select(ControllerRevision, { indexes: { controller: byController } })),
      untracked(Node),
    ],
    watches: [
      watch(Pod, {
        reads: [DaemonSet],
        to: (pod, cached) =>
          controllerOf(pod) === undefined
            ? cached
                .list(DaemonSet, { namespace: pod.metadata.namespace ?? "" })
                .filter(({ spec }) => selectorOf(spec.selector).matches(pod.metadata.labels))
                .map(({ metadata }) => metadata.name)
            : undefined,
      }),
      // Ignores node heartbeats, and node deletions as kube-controller-manager does: PodGC deletes the Pods, and that triggers a sync.
      watch(Node, {
        reads: [DaemonSet],
        when: ({ old, new: next }) =>
          next !== undefined &&
          (old === undefined ||
            !deepEqual(old.metadata.labels ?? null, next.metadata.labels ?? null) ||
            !deepEqual(old.spec?.taints ?? null, next.spec?.taints ?? null)),
        to: ({ metadata }, cached) => {
          // Reads the current node: its old state does not matter.
          const node = cached.find(Node, { namespace: "", name: metadata.name });
          return node === undefined
            ? []
            : cached
                .list(DaemonSet)
                .filter((set) => affects(node, set))
                .map(targetOf);
        },
      }),
    ],
    reconcile: async ({ object, list, find, create, patch, adopt, release, event, status, clock, ...context }) => {
      const { uid, namespace = "" } = object.metadata;
      const selector = selectorOf(object.spec.selector);
      const owned = { index: { controller: ownedBy(uid) } };
      const unowned = { index: { controller: unownedIn(namespace) } };
      const matches = ({ metadata }: { readonly metadata: { readonly labels?: Readonly<Record<string, string>> } }) =>
        selector.matches(metadata.labels);
      const revisions = await claimObjects(
        [...(await list(ControllerRevision, owned)), ...(await list(ControllerRevision, unowned))],
        {
          owner: object,
          matches,
          adopt: (revision) => adopt(ControllerRevision, revision),
          release: (revision) => release(ControllerRevision, revision),
        },
      );
      const pods = async () =>
        claimObjects([...(await list(Pod, owned)), ...(await list(Pod, unowned))], {
          owner: object,
          matches,
          adopt: (pod) => adopt(Pod, pod),
          release: (pod) => release(Pod, pod),
        });
      let againInMs = Number.POSITIVE_INFINITY;
      await syncDaemonSet({
        set: object,
        status,
        nowMs: clock.now(),
        nodes: await list(Node),
        revisions,
        backoff,
        pods,
        revision: {
          find: (revision) => find(ControllerRevision, revision),
          create: (revision) => create(ControllerRevision, revision),
          patch: ({ metadata }, merge) => patch(ControllerRevision, metadata.name, { merge }),
          delete: ({ metadata }) => context.delete(ControllerRevision, metadata.name),
          relabel: ({ metadata }, hash) =>
            patch(Pod, metadata.name, { merge: { metadata: { labels: { [revisionLabel]: hash } } } }),
        },
        create: (pod) => create(Pod, pod),
        delete: (pod) => context.delete(Pod, pod),
        event,
        requeueAfter: (ms) => {
          againInMs = Math.min(againInMs, ms);
        },
      });
      return Number.isFinite(againInMs) ? context.requeueAfter(`${againInMs}ms`) : undefined;
    },
  });
}

/** Whether a node change may create or delete Pods. Pods that may keep running are no reason, unless some Pods are misscheduled. */
function affects(node: NodeView, set: DaemonSetView): boolean {
  const { shouldRun, shouldContinueRunning } = nodeFit(set, node);
  return shouldRun || !shouldContinueRunning || (set.status?.numberMisscheduled ?? 0) > 0;
}

function targetOf({ metadata }: DaemonSetView): { readonly namespace: string; readonly name: string } {
  return { namespace: metadata.namespace ?? "", name: metadata.name };
}
