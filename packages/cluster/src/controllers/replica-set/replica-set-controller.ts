import { controllerOf } from "@kubewright/core/meta";
import { type Controller, controller, select, untracked, watch } from "kubewright";
import { ReplicaSet } from "kubewright/k8s/apps/v1";
import { Pod } from "kubewright/k8s/core/v1";
import { byController, ownedBy, selectorOf, unownedIn } from "../ownership/index.js";
import { podsByController } from "../pod/index.js";
import { syncReplicas } from "./sync-replicas.js";

/** The ReplicaSet controller: maintains the desired number of Pods of each ReplicaSet. */
export function replicaSetController(): Controller {
  return controller(ReplicaSet, {
    name: "replicaset-controller",
    fieldManager: "kube-controller-manager",
    workers: 5,
    gather: true,
    whileDeleting: true,
    owns: [Pod],
    uses: [podsByController, untracked(select(ReplicaSet, { indexes: { controller: byController } }))],
    watches: [
      watch(Pod, {
        reads: [ReplicaSet],
        to: (pod, cached) =>
          controllerOf(pod) === undefined
            ? cached
                .list(ReplicaSet, { namespace: pod.metadata.namespace ?? "" })
                .filter(({ spec }) => selectorOf(spec.selector).matches(pod.metadata.labels))
                .map(({ metadata }) => metadata.name)
            : undefined,
      }),
    ],
    reconcile: async ({ object, list, create, adopt, release, event, requeueAfter, status, clock, delete: remove }) => {
      const { metadata, spec } = object;
      const { uid, namespace = "" } = metadata;
      const { replicas = 1, minReadySeconds = 0, template = {} } = spec;
      const podsOf = (controllerUid: string) => list(Pod, { index: { controller: ownedBy(controllerUid) } });
      return syncReplicas(
        { metadata, replicas, minReadySeconds, template, selector: selectorOf(spec.selector) },
        {
          pods: async () => [
            ...(await podsOf(uid)),
            ...(await list(Pod, { index: { controller: unownedIn(namespace) } })),
          ],
          related: async () => {
            const owner = controllerOf(object);
            if (owner === undefined) return [];
            const siblings = await list(ReplicaSet, { index: { controller: ownedBy(owner.uid) } });
            return (await Promise.all(siblings.map((sibling) => podsOf(sibling.metadata.uid)))).flat();
          },
          create: (pod) => create(Pod, pod),
          delete: (pod) => remove(Pod, pod),
          adopt: (pod) => adopt(Pod, pod),
          release: (pod) => release(Pod, pod),
          event,
          requeueAfter,
          nowMs: clock.now(),
        },
        status,
      );
    },
  });
}
