import { controllerOf } from "@kubewright/core/meta";
import { type LabelSelector, labelSelectorFrom } from "@kubewright/core/selector";
import { type Controller, controller, type ReadOf, watch } from "kubewright";
import { Pod, ReplicationController } from "kubewright/k8s/core/v1";
import { ownedBy, unownedIn } from "../ownership/index.js";
import { podsByController } from "../pod/index.js";
import { syncReplicas } from "./sync-replicas.js";

/** The ReplicationController controller: maintains the desired number of Pods of each ReplicationController. */
export function replicationController(): Controller {
  return controller(ReplicationController, {
    name: "replication-controller",
    fieldManager: "kube-controller-manager",
    workers: 5,
    gather: true,
    whileDeleting: true,
    owns: [Pod],
    uses: [podsByController],
    watches: [
      watch(Pod, {
        reads: [ReplicationController],
        to: (pod, cached) =>
          controllerOf(pod) === undefined
            ? cached
                .list(ReplicationController, { namespace: pod.metadata.namespace ?? "" })
                .filter((owner) => selectorOf(owner).matches(pod.metadata.labels))
                .map(({ metadata }) => metadata.name)
            : undefined,
      }),
    ],
    reconcile: async ({ object, list, create, adopt, release, event, requeueAfter, status, clock, delete: remove }) => {
      const { metadata } = object;
      const { uid, namespace = "" } = metadata;
      const { replicas = 1, minReadySeconds = 0, template = {} } = object.spec ?? {};
      const next = await syncReplicas(
        { metadata, replicas, minReadySeconds, template, selector: selectorOf(object) },
        {
          pods: async () => [
            ...(await list(Pod, { index: { controller: ownedBy(uid) } })),
            ...(await list(Pod, { index: { controller: unownedIn(namespace) } })),
          ],
          related: async () => [],
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
      // A ReplicationController has no such field.
      Reflect.deleteProperty(status, "terminatingReplicas");
      return next;
    },
  });
}

/** The selector of a ReplicationController has labels only. An empty one matches nothing. */
function selectorOf({ spec }: ReadOf<typeof ReplicationController>): LabelSelector {
  const { selector = {} } = spec ?? {};
  return labelSelectorFrom(Object.keys(selector).length === 0 ? undefined : { matchLabels: selector });
}
