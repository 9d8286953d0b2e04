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
import { provisionedVolume } from "./provisioned-volume.js";
import { provisionerName } from "./standard-class.js";

const uses = [
  untracked(Node),
  StorageClass,
  may(PersistentVolume, "create", "delete"),
  may(PersistentVolumeClaim, "patch"),
] as const;
const watches = [
  watch(PersistentVolumeClaim, { to: (claim) => (needsProvisioning(claim) ? claim.metadata : undefined) }),
  watch(PersistentVolume, {
    to: (volume) => (isReleased(volume) ? `volume ${volume.metadata.name}` : undefined),
  }),
] as const;

/** Creates PVs for PVCs that request this provisioner, and deletes released ones with reclaimPolicy Delete. They store no data. */
export function storageProvisioner(): RawController {
  return rawController({
    name: "storage-provisioner",
    uses,
    watches,
    reconcile: async (context) => {
      const [, released] = /^volume (.+)$/.exec(context.key) ?? [];
      return released === undefined ? provision(context) : deleteReleased(context, released);
    },
  });
}

async function provision(context: RawContext<typeof uses, typeof watches>): Promise<void> {
  const { key, find, create, patch, event } = context;
  const [namespace = "", name = ""] = key.split("/");
  const claim = await find(PersistentVolumeClaim, { namespace, name });
  if (claim === undefined || !needsProvisioning(claim)) return;
  const className = claim.spec?.storageClassName ?? "";
  const storageClass = await find(StorageClass, className);
  if (storageClass?.provisioner !== provisionerName) return;
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
  if (claim.spec?.selector !== undefined) return fail("claim.Spec.Selector is not supported");
  if (claim.spec?.dataSource !== undefined || claim.spec?.dataSourceRef !== undefined)
    return fail("data sources are not supported");
  const volume = provisionedVolume(claim, storageClass, isWaiting ? node : undefined);
  if ((await find(PersistentVolume, `pvc-${claim.metadata.uid}`)) !== undefined) return;
  event(
    PersistentVolumeClaim,
    claim,
    "Normal",
    "Provisioning",
    `External provisioner is provisioning volume for claim ${JSON.stringify(key)}`,
  );
  try {
    const { metadata } = await create(PersistentVolume, volume);
    const note = `Successfully provisioned volume ${metadata.name}`;
    event(PersistentVolumeClaim, claim, "Normal", "ProvisioningSucceeded", note);
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
  }
}

async function deleteReleased(
  { find, delete: remove }: RawContext<typeof uses, typeof watches>,
  name: string,
): Promise<void> {
  const volume = await find(PersistentVolume, name);
  if (volume !== undefined && isReleased(volume)) await remove(PersistentVolume, name);
}

function needsProvisioning({ metadata, spec }: ReadPvc): boolean {
  return (
    metadata.deletionTimestamp === undefined &&
    spec?.volumeName === undefined &&
    provisionerAnnotations.some((name) => metadata.annotations?.[name] === provisionerName)
  );
}

/** Whether a PV of this provisioner is released and has reclaimPolicy Delete. */
function isReleased({ metadata, spec, status }: ReadPv): boolean {
  return (
    metadata.annotations?.[provisionedBy] === provisionerName &&
    metadata.deletionTimestamp === undefined &&
    spec?.persistentVolumeReclaimPolicy === "Delete" &&
    status?.phase === "Released"
  );
}
