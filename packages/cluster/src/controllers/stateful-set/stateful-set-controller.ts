import { controllerOf } from "@kubewright/core/meta";
import { type Controller, controller, may, select, untracked, watch } from "kubewright";
import { ControllerRevision, StatefulSet } from "kubewright/k8s/apps/v1";
import { PersistentVolumeClaim, Pod } from "kubewright/k8s/core/v1";
import { byController, claimObjects, ownedBy, selectorOf, unownedIn } from "../ownership/index.js";
import { podsByController } from "../pod/index.js";
import { identityOf } from "./ordinals.js";
import { syncStatefulSet } from "./sync-stateful-set.js";

/** The StatefulSet controller: manages Pods with stable names, PVCs and ordering. */
export function statefulSetController(): Controller {
  return controller(StatefulSet, {
    name: "statefulset-controller",
    fieldManager: "kube-controller-manager",
    workers: 5,
    whileDeleting: true,
    owns: [Pod, ControllerRevision],
    uses: [
      podsByController,
      untracked(select(ControllerRevision, { indexes: { controller: byController } })),
      untracked(PersistentVolumeClaim),
      may(PersistentVolumeClaim, "create", "patch"),
    ],
    watches: [
      watch(Pod, {
        reads: [StatefulSet],
        to: (pod, cached) =>
          controllerOf(pod) === undefined
            ? cached
                .list(StatefulSet, { namespace: pod.metadata.namespace ?? "" })
                .filter(({ spec }) => selectorOf(spec.selector).matches(pod.metadata.labels))
                .map(({ metadata }) => metadata.name)
            : undefined,
      }),
      // A Pod may wait until the PVC of its predecessor is deleted.
      watch(PersistentVolumeClaim, {
        reads: [StatefulSet],
        when: ({ kind }) => kind === "deleted",
        to: ({ metadata }, cached) => {
          const { parent } = identityOf(metadata.name);
          return cached
            .list(StatefulSet, { namespace: metadata.namespace ?? "" })
            .filter((set) => parent.endsWith(`-${set.metadata.name}`))
            .map((set) => set.metadata.name);
        },
      }),
    ],
    reconcile: async ({ object, list, find, create, patch, adopt, release, event, status, clock, ...context }) => {
      const { name, uid, namespace = "" } = object.metadata;
      const selector = selectorOf(object.spec.selector);
      const owned = { index: { controller: ownedBy(uid) } };
      const unowned = { index: { controller: unownedIn(namespace) } };
      const revisions = await claimObjects(
        [...(await list(ControllerRevision, owned)), ...(await list(ControllerRevision, unowned))].filter(
          ({ metadata }) => selector.matches(metadata.labels),
        ),
        {
          owner: object,
          matches: () => true,
          adopt: (revision) => adopt(ControllerRevision, revision),
          release: (revision) => release(ControllerRevision, revision),
        },
      );
      const pods = await claimObjects([...(await list(Pod, owned)), ...(await list(Pod, unowned))], {
        owner: object,
        matches: ({ metadata }) => selector.matches(metadata.labels) && identityOf(metadata.name).parent === name,
        adopt: (pod) => adopt(Pod, pod),
        release: (pod) => release(Pod, pod),
      });
      const againInMs = await syncStatefulSet(
        {
          set: object,
          status,
          nowMs: clock.now(),
          createPod: (pod) => create(Pod, pod),
          patchPod: (pod, merge) => patch(Pod, pod, { merge }),
          deletePod: (pod) => context.delete(Pod, pod),
          findPvc: (one) => find(PersistentVolumeClaim, one),
          createPvc: (one) => create(PersistentVolumeClaim, one),
          patchPvc: (one, merge) => patch(PersistentVolumeClaim, one, { merge }),
          findRevision: (revision) => find(ControllerRevision, revision),
          createRevision: (revision) => create(ControllerRevision, revision),
          renumber: ({ metadata }, revision) => patch(ControllerRevision, metadata.name, { merge: { revision } }),
          deleteRevision: (revision) => context.delete(ControllerRevision, revision),
          event,
        },
        pods,
        revisions,
      );
      return againInMs === undefined ? undefined : context.requeueAfter(`${againInMs}ms`);
    },
  });
}
