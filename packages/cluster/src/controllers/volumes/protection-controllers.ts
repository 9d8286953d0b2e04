import { isNotFound, may, type RawController, type ReadOf, rawController, select, untracked, watch } from "kubewright";
import { PersistentVolume, PersistentVolumeClaim, Pod } from "kubewright/k8s/core/v1";
import { VolumeAttributesClass } from "kubewright/k8s/storage/v1";

const pvcFinalizer = "kubernetes.io/pvc-protection";
const pvFinalizer = "kubernetes.io/pv-protection";
const vacFinalizer = "kubernetes.io/vac-protection";

/** Maintains the pvc-protection finalizer: it is removed from a PVC that is being deleted once no Pod uses it. */
export function pvcProtection(): RawController {
  return rawController({
    name: "pvc-protection-controller",
    fieldManager: "kube-controller-manager",
    uses: [untracked(select(Pod, { indexes: { claim: pvcsOf } })), may(PersistentVolumeClaim, "patch")],
    watches: [
      watch(PersistentVolumeClaim, { to: ({ metadata }) => metadata }),
      watch(Pod, {
        to: (pod) =>
          pvcsOf(pod).map((claim) => ({
            namespace: pod.metadata.namespace ?? "",
            name: claim.slice(claim.indexOf("/") + 1),
          })),
        when: ({ kind, old, new: now }) => kind !== "updated" || isTerminal(old) !== isTerminal(now),
      }),
    ],
    reconcile: async ({ key, find, list, patch }) => {
      const [namespace = "", name = ""] = key.split("/");
      const claim = await find(PersistentVolumeClaim, { namespace, name });
      if (claim === undefined) return;
      const users = (await list(Pod, { index: { claim: key } })).filter(
        (pod) => !isTerminal(pod) && pod.spec?.nodeName !== undefined,
      );
      const isProtected = claim.metadata.deletionTimestamp === undefined || users.length > 0;
      const finalizers = finalizerPatch(pvcFinalizer, claim.metadata, isProtected);
      if (finalizers === undefined) return;
      try {
        await patch(PersistentVolumeClaim, { namespace, name }, { merge: finalizers });
      } catch (error) {
        if (!isNotFound(error)) throw error;
      }
    },
  });
}

/** Maintains the pv-protection finalizer: it is removed from a PV that is being deleted once it is not bound. */
export function pvProtection(): RawController {
  return rawController({
    name: "pv-protection-controller",
    fieldManager: "kube-controller-manager",
    uses: [may(PersistentVolume, "patch")],
    watches: [watch(PersistentVolume, { to: ({ metadata }) => metadata.name })],
    reconcile: async ({ key, find, patch }) => {
      const name = key.slice(key.indexOf("/") + 1);
      const volume = await find(PersistentVolume, name);
      if (volume === undefined) return;
      const isProtected = volume.metadata.deletionTimestamp === undefined || volume.status?.phase === "Bound";
      const finalizers = finalizerPatch(pvFinalizer, volume.metadata, isProtected);
      if (finalizers === undefined) return;
      try {
        await patch(PersistentVolume, name, { merge: finalizers });
      } catch (error) {
        if (!isNotFound(error)) throw error;
      }
    },
  });
}

/** Maintains the vac-protection finalizer: it is removed from a VolumeAttributesClass that is being deleted once no PV or PVC names it. */
export function vacProtection(): RawController {
  return rawController({
    name: "volumeattributesclass-protection-controller",
    fieldManager: "kube-controller-manager",
    uses: [
      select(PersistentVolume, { indexes: { attributes: classesOfPv } }),
      select(PersistentVolumeClaim, { indexes: { attributes: classesOfPvc } }),
      may(VolumeAttributesClass, "patch"),
    ],
    watches: [watch(VolumeAttributesClass, { to: ({ metadata }) => metadata.name })],
    reconcile: async ({ key: name, find, list, patch }) => {
      const found = await find(VolumeAttributesClass, name);
      if (found === undefined) return;
      const index = { attributes: name };
      const isUsed = async (): Promise<boolean> =>
        (await list(PersistentVolume, { index })).length > 0 ||
        (await list(PersistentVolumeClaim, { index })).length > 0;
      const isProtected = found.metadata.deletionTimestamp === undefined || (await isUsed());
      const finalizers = finalizerPatch(vacFinalizer, found.metadata, isProtected);
      if (finalizers === undefined) return;
      try {
        await patch(VolumeAttributesClass, name, { merge: finalizers });
      } catch (error) {
        if (!isNotFound(error)) throw error;
      }
    },
  });
}

function classesOfPv({ spec }: ReadOf<typeof PersistentVolume>): string[] {
  return spec?.volumeAttributesClassName ? [spec.volumeAttributesClassName] : [];
}

function classesOfPvc({ spec, status }: ReadOf<typeof PersistentVolumeClaim>): string[] {
  const names = [
    spec?.volumeAttributesClassName,
    status?.currentVolumeAttributesClassName,
    status?.modifyVolumeStatus?.targetVolumeAttributesClassName,
  ];
  return [...new Set(names.flatMap((name) => (name ? [name] : [])))];
}

/** The merge patch that adds or removes a finalizer; undefined if none is needed. An object that is being deleted accepts no new finalizer. */
function finalizerPatch(
  finalizer: string,
  metadata: {
    readonly finalizers?: readonly string[];
    readonly deletionTimestamp?: string;
    readonly resourceVersion?: string;
  },
  isProtected: boolean,
): object | undefined {
  const { finalizers = [], resourceVersion, deletionTimestamp } = metadata;
  if (finalizers.includes(finalizer) === isProtected || (isProtected && deletionTimestamp !== undefined))
    return undefined;
  const next = isProtected ? [...finalizers, finalizer] : finalizers.filter((one) => one !== finalizer);
  return { metadata: { resourceVersion, finalizers: next } };
}

/** The PVCs of a Pod, as `namespace/name`. */
function pvcsOf({ metadata, spec }: ReadOf<typeof Pod>): string[] {
  return (spec?.volumes ?? []).flatMap(({ name, persistentVolumeClaim, ephemeral }) => {
    const claim =
      persistentVolumeClaim?.claimName ?? (ephemeral === undefined ? undefined : `${metadata.name}-${name}`);
    return claim === undefined ? [] : [`${metadata.namespace}/${claim}`];
  });
}

function isTerminal(pod: ReadOf<typeof Pod> | undefined): boolean {
  return pod?.status?.phase === "Succeeded" || pod?.status?.phase === "Failed";
}
