import { type Controller, controller, isAlreadyExists, isForbidden } from "kubewright";
import { PersistentVolumeClaim, Pod } from "kubewright/k8s/core/v1";

/** The ephemeral volume controller: creates the PVCs of generic ephemeral volumes, owned by their Pod. */
export function ephemeralVolumeController(): Controller {
  return controller(Pod, {
    name: "ephemeral-volume",
    fieldManager: "kube-controller-manager",
    when: ({ new: pod }) => pod?.spec?.volumes?.some(({ ephemeral }) => ephemeral !== undefined) === true,
    owns: [PersistentVolumeClaim],
    reconcile: async ({ object: pod, find, create, event }) => {
      for (const { name: volume, ephemeral } of pod.spec?.volumes ?? []) {
        const template = ephemeral?.volumeClaimTemplate;
        if (template === undefined) continue;
        const name = `${pod.metadata.name}-${volume}`;
        const existing = await find(PersistentVolumeClaim, name);
        if (existing !== undefined) {
          const isOwned = existing.metadata.ownerReferences?.some(({ uid }) => uid === pod.metadata.uid) === true;
          if (!isOwned)
            event(
              "Warning",
              "VolumeNotOwned",
              `PVC ${JSON.stringify(`${pod.metadata.namespace}/${name}`)} was not created for pod ${JSON.stringify(`${pod.metadata.namespace}/${pod.metadata.name}`)} (pod is not owner)`,
            );
          continue;
        }
        const { labels, annotations } = template.metadata ?? {};
        const metadata = { name, ...(labels && { labels }), ...(annotations && { annotations }) };
        try {
          await create(PersistentVolumeClaim, { metadata, spec: template.spec });
        } catch (error) {
          if (!isAlreadyExists(error) && !isForbidden(error)) throw error;
        }
      }
    },
  });
}
