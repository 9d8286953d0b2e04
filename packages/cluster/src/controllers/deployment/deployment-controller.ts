import { controllerOf } from "@kubewright/core/meta";
import { type Controller, controller, may, select, untracked, watch } from "kubewright";
import { Deployment, ReplicaSet } from "kubewright/k8s/apps/v1";
import { Pod } from "kubewright/k8s/core/v1";
import { byController, claimObjects, ownedBy, selectorOf, unownedIn } from "../ownership/index.js";
import { podsByController } from "../pod/index.js";
import { revisionAnnotation } from "./annotations.js";
import { syncDeployment } from "./sync-deployment.js";

/** The Deployment controller: rolls out Pod templates through ReplicaSets. */
export function deploymentController(): Controller {
  return controller(Deployment, {
    name: "deployment-controller",
    fieldManager: "kube-controller-manager",
    workers: 5,
    gather: true,
    whileDeleting: true,
    owns: [ReplicaSet],
    uses: [
      podsByController,
      untracked(select(ReplicaSet, { indexes: { controller: byController } })),
      may(Deployment, "patch", "patchStatus"),
    ],
    watches: [
      watch(ReplicaSet, {
        reads: [Deployment],
        to: (set, cached) =>
          controllerOf(set) === undefined
            ? cached
                .list(Deployment, { namespace: set.metadata.namespace ?? "" })
                .filter(({ spec }) => selectorOf(spec.selector).matches(set.metadata.labels))
                .map(({ metadata }) => metadata.name)
            : undefined,
      }),
      // Recreate waits until the last old Pod is deleted.
      watch(Pod, {
        reads: [ReplicaSet, Deployment],
        when: ({ kind }) => kind === "deleted",
        to: (pod, cached) => {
          const { namespace = "" } = pod.metadata;
          const { kind = "", name = "" } = controllerOf(pod) ?? {};
          const set = kind === "ReplicaSet" ? cached.find(ReplicaSet, { namespace, name }) : undefined;
          const owner = set && controllerOf(set);
          const deployment = owner && cached.find(Deployment, { namespace, name: owner.name });
          return deployment?.spec.strategy?.type === "Recreate" ? owner?.name : undefined;
        },
      }),
    ],
    reconcile: async ({
      object,
      list,
      find,
      create,
      patch,
      adopt,
      release,
      event,
      status,
      clock,
      delete: remove,
      patchStatus,
      requeueAfter,
    }) => {
      const { name, uid, namespace = "" } = object.metadata;
      const selector = selectorOf(object.spec.selector);
      const known = [
        ...(await list(ReplicaSet, { index: { controller: ownedBy(uid) } })),
        ...(await list(ReplicaSet, { index: { controller: unownedIn(namespace) } })),
      ];
      const sets = await claimObjects(known, {
        owner: object,
        matches: ({ metadata }) => selector.matches(metadata.labels),
        adopt: (set) => adopt(ReplicaSet, set),
        release: (set) => release(ReplicaSet, set),
      });
      const againInMs = await syncDeployment(
        {
          deployment: object,
          status,
          nowMs: clock.now(),
          create: (set) => create(ReplicaSet, set),
          change: ({ metadata }, { annotations = {}, ...spec }) =>
            patch(ReplicaSet, metadata.name, { merge: { metadata: { uid: metadata.uid, annotations }, spec } }),
          find: (set) => find(ReplicaSet, set),
          delete: ({ metadata }) => remove(ReplicaSet, metadata.name),
          setRevision: (revision) =>
            patchStatus(Deployment, name, {
              merge: { metadata: { uid, annotations: { [revisionAnnotation]: revision } } },
            }),
          patch: (merge) => patch(Deployment, name, { merge }),
          podsOf: ({ metadata }) => list(Pod, { index: { controller: ownedBy(metadata.uid) } }),
          event,
        },
        sets,
      );
      return againInMs === undefined ? undefined : requeueAfter(`${againInMs}ms`);
    },
  });
}
