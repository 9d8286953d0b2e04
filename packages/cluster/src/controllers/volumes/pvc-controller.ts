import { may, type RawContext, type RawController, rawController, untracked, watch } from "kubewright";
import { PersistentVolume, PersistentVolumeClaim, Pod } from "kubewright/k8s/core/v1";
import { StorageClass } from "kubewright/k8s/storage/v1";
import {
  bindCompleted,
  bindingMismatch,
  boundByController,
  classOf,
  findMatchingVolume,
  isVolumeBoundToClaim,
  provisionerAnnotations,
  type ReadPv,
  type ReadPvc,
  selectedNode,
} from "../../volume-binding/index.js";

/** --pvclaimbinder-sync-period: an unbound PVC is synced again after this time. */
const syncPeriodMs = 15_000;
const defaultClass = "storageclass.kubernetes.io/is-default-class";

const uses = [
  untracked(Pod),
  may(PersistentVolume, "patch", "patchStatus"),
  may(PersistentVolumeClaim, "patch", "patchStatus"),
] as const;
const watches = [
  watch(PersistentVolumeClaim, { to: ({ metadata }) => metadata }),
  // A PV triggers the PVC of its claimRef. PVCs that wait for any PV resync periodically.
  watch(PersistentVolume, {
    reads: [PersistentVolumeClaim],
    to: ({ metadata, spec }, cached) => [
      ...(spec?.claimRef?.name === undefined
        ? []
        : [{ namespace: spec.claimRef.namespace ?? "", name: spec.claimRef.name }]),
      ...cached
        .list(PersistentVolumeClaim)
        .filter(
          (claim) =>
            claim.spec?.volumeName === metadata.name && claim.metadata.annotations?.[bindCompleted] !== undefined,
        )
        .map((claim) => claim.metadata),
    ],
  }),
  watch(StorageClass, { to: () => undefined }),
] as const;
type Context = RawContext<typeof uses, typeof watches>;

/** The PersistentVolume controller for PVCs: binds them to a matching PV, or requests dynamic provisioning. */
export function pvcController(): RawController {
  return rawController({
    name: "persistentvolume-controller",
    fieldManager: "kube-controller-manager",
    uses,
    watches,
    reconcile: async (context) => {
      const [namespace = "", name = ""] = context.key.split("/");
      const claim = await context.find(PersistentVolumeClaim, { namespace, name });
      if (claim === undefined) return;
      if (claim.metadata.annotations?.[bindCompleted] !== undefined) await syncBoundClaim(context, claim);
      else if (claim.spec?.volumeName === undefined) await syncUnboundClaim(context, claim);
      else await bindToNamedVolume(context, claim, claim.spec.volumeName);
      const now = await context.find(PersistentVolumeClaim, { namespace, name });
      if (now !== undefined && now.metadata.annotations?.[bindCompleted] === undefined)
        return context.requeueAfter(`${syncPeriodMs}ms`);
    },
  });
}

/** Syncs a bound PVC. Its phase becomes Lost if its PV is gone or bound to another PVC. */
async function syncBoundClaim(context: Context, claim: ReadPvc): Promise<void> {
  const lost = async (reason: string, note: string): Promise<void> => {
    if (claim.status?.phase === "Lost") return;
    await setPhase(context, claim, "Lost", undefined);
    context.event(PersistentVolumeClaim, claim, "Warning", reason, note);
  };
  const { volumeName } = claim.spec ?? {};
  if (volumeName === undefined)
    return lost("ClaimLost", "Bound claim has lost reference to PersistentVolume. Data on the volume is lost!");
  const volume = await context.find(PersistentVolume, volumeName);
  if (volume === undefined)
    return lost("ClaimLost", "Bound claim has lost its PersistentVolume. Data on the volume is lost!");
  const { claimRef } = volume.spec ?? {};
  if (claimRef === undefined || claimRef.uid === claim.metadata.uid) return bind(context, claim, volume);
  return lost("ClaimMisbound", "Two claims are bound to the same volume, this one is bound incorrectly");
}

/** Syncs a PVC without volumeName. */
async function syncUnboundClaim(context: Context, claim: ReadPvc): Promise<void> {
  const classes = await context.list(StorageClass);
  const storageClass = classes.find(({ metadata }) => metadata.name === classOf(claim));
  const isDelayed = storageClass?.volumeBindingMode === "WaitForFirstConsumer";
  const volume = findMatchingVolume(claim, await context.list(PersistentVolume), { onlyPreBound: isDelayed });
  if (volume !== undefined) return bind(context, claim, volume);
  if (claim.spec?.storageClassName === undefined && classOf(claim) === "") {
    const [newestDefault] = classes
      .filter(({ metadata }) => metadata.annotations?.[defaultClass] === "true")
      .sort((a, b) => Date.parse(b.metadata.creationTimestamp) - Date.parse(a.metadata.creationTimestamp));
    if (newestDefault !== undefined) {
      await context.patch(PersistentVolumeClaim, nameOf(claim), {
        merge: { spec: { storageClassName: newestDefault.metadata.name } },
      });
      return;
    }
  }
  if (isDelayed && claim.metadata.annotations?.[selectedNode] === undefined) await emitWaitingEvent(context, claim);
  else if (classOf(claim) !== "") return provision(context, claim, storageClass?.provisioner);
  else
    context.event(
      PersistentVolumeClaim,
      claim,
      "Normal",
      "FailedBinding",
      "no persistent volumes available for this claim and no storage class is set",
    );
  await setPhase(context, claim, "Pending", undefined);
}

async function emitWaitingEvent({ list, event }: Context, claim: ReadPvc): Promise<void> {
  const users = (await list(Pod, { namespace: claim.metadata.namespace ?? "" })).filter(
    ({ spec, metadata }) =>
      spec?.nodeName === undefined &&
      spec?.volumes?.some(
        ({ name, persistentVolumeClaim, ephemeral }) =>
          persistentVolumeClaim?.claimName === claim.metadata.name ||
          (ephemeral !== undefined && `${metadata.name}-${name}` === claim.metadata.name),
      ) === true,
  );
  const names = users.map(({ metadata }) => metadata.name);
  if (names.length === 0)
    event(
      PersistentVolumeClaim,
      claim,
      "Normal",
      "WaitForFirstConsumer",
      "waiting for first consumer to be created before binding",
    );
  else
    event(
      PersistentVolumeClaim,
      claim,
      "Normal",
      "WaitForPodScheduled",
      `waiting for pod${names.length > 1 ? "s" : ""} ${names.join(",")} to be scheduled`,
    );
}

/** Requests dynamic provisioning with the annotations of the PVC. `provisioner` is undefined if the StorageClass does not exist. */
async function provision(context: Context, claim: ReadPvc, provisioner: string | undefined): Promise<void> {
  if (provisioner === undefined) {
    const note = `storageclass.storage.k8s.io ${JSON.stringify(classOf(claim))} not found`;
    context.event(PersistentVolumeClaim, claim, "Warning", "ProvisioningFailed", note);
    return;
  }
  if (provisioner === "kubernetes.io/no-provisioner") return;
  if (provisionerAnnotations.some((name) => claim.metadata.annotations?.[name] !== provisioner)) {
    const annotations = Object.fromEntries(provisionerAnnotations.map((name) => [name, provisioner]));
    await context.patch(PersistentVolumeClaim, nameOf(claim), { merge: { metadata: { annotations } } });
  }
  const note = `Waiting for a volume to be created either by the external provisioner '${provisioner}' or manually by the system administrator. If volume creation is delayed, please verify that the provisioner is running and correctly registered.`;
  context.event(PersistentVolumeClaim, claim, "Normal", "ExternalProvisioning", note);
}

/** Syncs an unbound PVC that names a PV in volumeName. */
async function bindToNamedVolume(context: Context, claim: ReadPvc, name: string): Promise<void> {
  const volume = await context.find(PersistentVolume, name);
  if (volume === undefined) return setPhase(context, claim, "Pending", undefined);
  if (volume.spec?.claimRef === undefined) {
    const why = bindingMismatch(volume, claim);
    if (why === undefined) return bind(context, claim, volume);
    const note = `Cannot bind to requested volume ${JSON.stringify(name)}: ${why}`;
    context.event(PersistentVolumeClaim, claim, "Warning", "VolumeMismatch", note);
    return setPhase(context, claim, "Pending", undefined);
  }
  if (isVolumeBoundToClaim(volume, claim)) return bind(context, claim, volume);
  const note = `volume ${JSON.stringify(name)} already bound to a different claim.`;
  context.event(PersistentVolumeClaim, claim, "Warning", "FailedBinding", note);
  return setPhase(context, claim, "Pending", undefined);
}

/** Binds the PV first, then the PVC, so that an interrupted binding is completed by the next sync of the PVC. */
async function bind(context: Context, claim: ReadPvc, given: ReadPv): Promise<void> {
  const { namespace = "", name, uid, resourceVersion } = claim.metadata;
  const { claimRef } = given.spec ?? {};
  let volume = given;
  if (claimRef?.uid !== uid) {
    const reference = { apiVersion: "v1", kind: "PersistentVolumeClaim", namespace, name, uid, resourceVersion };
    const annotations = claimRef === undefined ? { [boundByController]: "yes" } : {};
    const metadata = { resourceVersion: given.metadata.resourceVersion, annotations };
    volume = await context.patch(PersistentVolume, given.metadata.name, {
      merge: { metadata, spec: { claimRef: reference } },
    });
  }
  if (volume.status?.phase !== "Bound") {
    const status = { phase: "Bound", message: null, reason: null } as const;
    volume = await context.patchStatus(PersistentVolume, volume.metadata.name, { merge: { status } });
  }
  const isSelected = claim.spec?.volumeName === undefined;
  let bound = claim;
  if (isSelected || claim.metadata.annotations?.[bindCompleted] === undefined) {
    const annotations = { [bindCompleted]: "yes", ...(isSelected ? { [boundByController]: "yes" } : {}) };
    const merge = { metadata: { annotations }, spec: { volumeName: volume.metadata.name } };
    bound = await context.patch(PersistentVolumeClaim, { namespace, name }, { merge });
  }
  await setPhase(context, bound, "Bound", volume);
}

/** Sets the phase of a PVC, and accessModes and capacity from its PV. */
async function setPhase(
  context: Context,
  claim: ReadPvc,
  phase: "Pending" | "Bound" | "Lost",
  volume: ReadPv | undefined,
): Promise<void> {
  const { accessModes, capacity } = volume?.spec ?? {};
  const storage = capacity?.["storage"];
  const isSame =
    claim.status?.phase === phase &&
    (volume === undefined
      ? claim.status?.accessModes === undefined && claim.status?.capacity === undefined
      : claim.status?.accessModes !== undefined && claim.status?.capacity !== undefined);
  if (isSame) return;
  const status =
    volume === undefined
      ? { phase, accessModes: null, capacity: null }
      : { phase, accessModes, capacity: storage === undefined ? null : { storage } };
  await context.patchStatus(PersistentVolumeClaim, nameOf(claim), { merge: { status } });
}

function nameOf({ metadata }: ReadPvc): { readonly namespace: string; readonly name: string } {
  return { namespace: metadata.namespace ?? "", name: metadata.name };
}
