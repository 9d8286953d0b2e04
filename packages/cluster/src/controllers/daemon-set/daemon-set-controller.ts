import { deepEqual } from "@kubewright/core/json";
import { controllerOf } from "@kubewright/core/meta";
import { type Controller, controller, select, watch } from "kubewright";
import { ControllerRevision, DaemonSet } from "kubewright/k8s/apps/v1";
import { Node, Pod } from "kubewright/k8s/core/v1";
import { byController, claim, ownedBy, selectorOf, unownedIn } from "../ownership/index.js";
import { podsByController } from "../pod/index.js";
import { type DaemonSetView, revisionLabel } from "./daemon-pod.js";
import { FailureBackoff } from "./failure-backoff.js";
import { type NodeView, nodeFit } from "./node-fit.js";
import { syncDaemonSet } from "./sync-daemon-set.js";

/** Keeps one pod of each DaemonSet on every node that it is for. */
export function daemonSetController(): Controller {
  const backoff = new FailureBackoff();
  return controller(DaemonSet, {
    name: "daemonset-controller",
    fieldManager: "kube-controller-manager",
    workers: 2,
    owns: [Pod, ControllerRevision],
    uses: [podsByController, select(ControllerRevision, { indexes: { controller: byController } }), Node],
    watches: [
      watch(Pod, {
        to: (pod, cached) =>
          controllerOf(pod) === undefined
            ? cached
                .list(DaemonSet, { namespace: pod.metadata.namespace ?? "" })
                .filter(({ spec }) => selectorOf(spec.selector).matches(pod.metadata.labels))
                .map(({ metadata }) => metadata.name)
            : undefined,
      }),
      // Heartbeats of nodes change nothing for a DaemonSet. That one went is seen with the next change, as in Kubernetes: its pods go first.
      watch(Node, {
        when: ({ old, new: next }) =>
          next !== undefined &&
          (old === undefined ||
            !deepEqual(old.metadata.labels ?? null, next.metadata.labels ?? null) ||
            !deepEqual(old.spec?.taints ?? null, next.spec?.taints ?? null)),
        to: ({ metadata }, cached) => {
          // As it is now: what it was before is of no use.
          const node = cached.find(Node, { namespace: "", name: metadata.name });
          return node === undefined
            ? []
            : cached
                .list(DaemonSet)
                .filter((set) => concerns(node, set))
                .map(targetOf);
        },
      }),
    ],
    reconcile: async ({ object, list, find, create, patch, adopt, release, event, status, clock, ...context }) => {
      const { uid, namespace = "" } = object.metadata;
      const selector = selectorOf(object.spec.selector);
      const mine = { index: { controller: ownedBy(uid) } };
      const nobodys = { index: { controller: unownedIn(namespace) } };
      const matches = ({ metadata }: { readonly metadata: { readonly labels?: Readonly<Record<string, string>> } }) =>
        selector.matches(metadata.labels);
      const revisions = await claim(
        [...(await list(ControllerRevision, mine)), ...(await list(ControllerRevision, nobodys))],
        {
          owner: object,
          matches,
          adopt: (revision) => adopt(ControllerRevision, revision),
          release: (revision) => release(ControllerRevision, revision),
        },
      );
      const pods = async () =>
        claim([...(await list(Pod, mine)), ...(await list(Pod, nobodys))], {
          owner: object,
          matches,
          adopt: (pod) => adopt(Pod, pod),
          release: (pod) => release(Pod, pod),
        });
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
        comeBackIn: (ms) => void context.requeueAfter(`${ms}ms`),
      });
    },
  });
}

/** Whether a change of a node may lead to pods there or away from there. Pods that may stay are no reason, unless some are known to be misplaced. */
function concerns(node: NodeView, set: DaemonSetView): boolean {
  const { shouldRun, mayStay } = nodeFit(set, node);
  return shouldRun || !mayStay || (set.status?.numberMisscheduled ?? 0) > 0;
}

function targetOf({ metadata }: DaemonSetView): { readonly namespace: string; readonly name: string } {
  return { namespace: metadata.namespace ?? "", name: metadata.name };
}
