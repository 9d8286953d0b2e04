import { isAlreadyExists, may, type RawContext, type RawController, rawController, untracked, watch } from "kubewright";
import { Node, PersistentVolume, PersistentVolumeClaim } from "kubewright/k8s/core/v1";
import { StorageClass } from "kubewright/k8s/storage/v1";
import {
  provisionedBy,
  provisionerAnnotations,
  type ReadPv,
  type ReadPvc,
  selectedNode,
} from "../../volume-binding/index.js";
import { provisionedVolume, volumeOf } from "./provisioned-volume.js";
import type { VolumeStore } from "./volume-store.js";

const uses = [
  untracked(Node),
  StorageClass,
  may(PersistentVolume, "create", "delete"),
  may(PersistentVolumeClaim, "patch"),
] as const;

/** The PVCs to provision and the PVs to delete, by their key. */
function watchesOf(store: VolumeStore) {
  return [
    watch(PersistentVolumeClaim, { to: (claim) => (needsProvisioning(store, claim) ? claim.metadata : undefined) }),
    watch(PersistentVolume, {
      to: (volume) => (isReleased(store, volume) ? `volume ${volume.metadata.name}` : undefined),
    }),
  ] as const;
}

type Context = RawContext<typeof uses, ReturnType<typeof watchesOf>>;

/** Creates PVs for PVCs that request storage of a store, and deletes released ones with reclaimPolicy Delete. */
export function storageProvisioner(store: VolumeStore): RawController {
  return rawController({
    name: store.name,
    uses,
    watches: watchesOf(store),
    reconcile: async (context) => {
      const [, released] = /^volume (.+)$/.exec(context.key) ?? [];
      return released === undefined ? provision(store, context) : deleteReleased(store, context, released);
    },
  });
}

async function provision(store: VolumeStore, { key, find, create, patch, event }: Context): Promise<void> {
  const [namespace = "", name = ""] = key.split("/");
  const claim = await find(PersistentVolumeClaim, { namespace, name });
  if (claim === undefined || !needsProvisioning(store, claim)) return;
  const className = claim.spec?.storageClassName ?? "";
  const storageClass = await find(StorageClass, className);
  if (storageClass === undefined || !servedBy(store).includes(storageClass.provisioner)) return;
  const selected = claim.metadata.annotations?.[selectedNode];
  const isWaiting = storageClass.volumeBindingMode === "WaitForFirstConsumer";
  if (isWaiting && selected === undefined) return;
  const node = selected === undefined ? undefined : await find(Node, selected);
  const fail = (why: string): void =>
    event(
      PersistentVolumeClaim,
      claim,
      "Warning",
      "ProvisioningFailed",
      `failed to provision volume with StorageClass ${JSON.stringify(className)}: ${why}`,
    );
  if (selected !== undefined && node === undefined) {
    // Without the annotation the scheduler selects a node again.
    await patch(
      PersistentVolumeClaim,
      { namespace, name },
      { merge: { metadata: { annotations: { [selectedNode]: null } } } },
    );
    return fail(`error getting node ${selected}: node ${JSON.stringify(selected)} not found`);
  }
  if (!store.hasNode(isWaiting ? node : undefined)) return;
  if (claim.spec?.selector !== undefined) return fail("claim.Spec.Selector is not supported");
  if (claim.spec?.dataSource !== undefined || claim.spec?.dataSourceRef !== undefined)
    return fail("data sources are not supported");
  const rejection = store.rejection?.(claim);
  if (rejection !== undefined) return fail(rejection);
  const volume = volumeOf(claim);
  if ((await find(PersistentVolume, volume)) !== undefined) return;
  event(
    PersistentVolumeClaim,
    claim,
    "Normal",
    "Provisioning",
    `External provisioner is provisioning volume for claim ${JSON.stringify(key)}`,
  );
  const storage = await store.create(volume, claim);
  const { provisioner } = store;
  const request = { claim, storageClass, provisioner, node: isWaiting ? node : undefined };
  try {
    await create(PersistentVolume, provisionedVolume(request, storage));
    const note = `Successfully provisioned volume ${volume}`;
    event(PersistentVolumeClaim, claim, "Normal", "ProvisioningSucceeded", note);
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
  }
}

async function deleteReleased(store: VolumeStore, { find, delete: remove }: Context, name: string): Promise<void> {
  const volume = await find(PersistentVolume, name);
  if (volume === undefined || !isReleased(store, volume)) return;
  await store.remove(name);
  await remove(PersistentVolume, name);
}

function servedBy({ provisioner, alsoServes = [] }: VolumeStore): readonly string[] {
  return [provisioner, ...alsoServes];
}

function needsProvisioning(store: VolumeStore, { metadata, spec }: ReadPvc): boolean {
  return (
    metadata.deletionTimestamp === undefined &&
    spec?.volumeName === undefined &&
    provisionerAnnotations.some((name) => servedBy(store).includes(metadata.annotations?.[name] ?? ""))
  );
}

/** Whether a PV of this store is released and has reclaimPolicy Delete. */
function isReleased(store: VolumeStore, volume: ReadPv): boolean {
  const { metadata, spec, status } = volume;
  return (
    metadata.annotations?.[provisionedBy] === store.provisioner &&
    metadata.deletionTimestamp === undefined &&
    spec?.persistentVolumeReclaimPolicy === "Delete" &&
    status?.phase === "Released" &&
    store.has(volume)
  );
}
