import { may, type RawController, rawController, watch } from "kubewright";
import { PersistentVolume, PersistentVolumeClaim } from "kubewright/k8s/core/v1";
import { boundByController, provisionedBy, sameVolumeMode } from "../../volume-binding/index.js";

/** The PersistentVolume controller for PVs: sets their phases, and applies the reclaim policy. */
export function pvController(): RawController {
  return rawController({
    name: "persistentvolume-binder",
    fieldManager: "kube-controller-manager",
    uses: [may(PersistentVolume, "patch", "patchStatus")],
    watches: [
      watch(PersistentVolume, { to: ({ metadata }) => metadata.name }),
      watch(PersistentVolumeClaim, {
        reads: [PersistentVolume],
        to: ({ metadata, spec }, cached) => [
          ...(spec?.volumeName === undefined ? [] : [{ name: spec.volumeName }]),
          ...cached
            .list(PersistentVolume)
            .filter(
              ({ spec: { claimRef } = {} }) =>
                claimRef?.name === metadata.name && claimRef.namespace === metadata.namespace,
            )
            .map((volume) => ({ name: volume.metadata.name })),
        ],
      }),
    ],
    reconcile: async ({ key, find, patch, patchStatus, event }) => {
      const name = key.slice(key.indexOf("/") + 1);
      const volume = await find(PersistentVolume, name);
      if (volume === undefined) return;
      const setPhase = async (phase: "Available" | "Bound" | "Released" | "Failed"): Promise<void> => {
        if (volume.status?.phase !== phase)
          await patchStatus(PersistentVolume, name, { merge: { status: { phase, message: null, reason: null } } });
      };
      const { claimRef, persistentVolumeReclaimPolicy: policy = "Retain" } = volume.spec ?? {};
      if (claimRef?.uid === undefined || claimRef.uid === "") return setPhase("Available");
      const found = await find(PersistentVolumeClaim, {
        namespace: claimRef.namespace ?? "",
        name: claimRef.name ?? "",
      });
      const claim = found?.metadata.uid === claimRef.uid ? found : undefined;
      if (claim !== undefined && claim.spec?.volumeName === undefined) {
        if (sameVolumeMode(volume, claim)) return;
        const note = `Cannot bind PersistentVolume to requested PersistentVolumeClaim ${JSON.stringify(claim.metadata.name)} due to incompatible volumeMode.`;
        return event(PersistentVolume, volume, "Warning", "VolumeMismatch", note);
      }
      if (claim?.spec?.volumeName === name) return setPhase("Bound");
      const isProvisioned = volume.metadata.annotations?.[provisionedBy] !== undefined && policy === "Delete";
      if (claim !== undefined && !isProvisioned) {
        // The PVC is bound to another PV: unbind this one. A claimRef that a user set keeps its name.
        const isBoundByController = volume.metadata.annotations?.[boundByController] !== undefined;
        const merge = isBoundByController
          ? { metadata: { annotations: { [boundByController]: null } }, spec: { claimRef: null } }
          : { spec: { claimRef: { uid: null, resourceVersion: null } } };
        await patch(PersistentVolume, name, { merge });
        return;
      }
      if (volume.status?.phase !== "Failed") await setPhase("Released");
      // The external provisioner deletes its own volumes.
      if (isProvisioned || policy !== "Delete" || volume.metadata.deletionTimestamp !== undefined) return;
      if (volume.status?.phase === "Failed") return;
      const message = `error getting deleter volume plugin for volume ${JSON.stringify(name)}: no deletable volume plugin matched`;
      await patchStatus(PersistentVolume, name, { merge: { status: { phase: "Failed", message } } });
      event(PersistentVolume, volume, "Warning", "VolumeFailedDelete", message);
    },
  });
}
