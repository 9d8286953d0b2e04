import { chmod, mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Logger } from "@kubewright/core/log";
import type { Transport } from "@kubewright/core/transport";
import { createClient, isAlreadyExists, operator, type RunningOperator } from "kubewright";
import { StorageClass } from "kubewright/k8s/storage/v1";
import {
  isDefaultClass,
  localClass,
  localProvisioner,
  simulatedProvisioner,
  storageProvisioner,
  type VolumeStore,
} from "../controllers/index.js";

/** The node whose pods get volumes. */
export interface LocalVolumeOptions {
  /** The name of the Node. */
  readonly name: string;
  /** Has a folder for each volume. */
  readonly folder: string;
  readonly transport: Transport;
  readonly logger: Logger;
}

/**
 * Provisions PersistentVolumes in a folder of a node: creates the StorageClass `local`, which is the default one if there is no other, and runs its
 * provisioner, as the administrator. It works on every control plane.
 */
export async function startLocalVolumes(options: LocalVolumeOptions): Promise<RunningOperator> {
  const { name, transport, logger } = options;
  const client = createClient(transport);
  let hasDefault = false;
  for await (const { metadata } of client.list(StorageClass))
    hasDefault ||= metadata.annotations?.[isDefaultClass] === "true";
  try {
    await client.create(StorageClass, localClass(!hasDefault), { fieldManager: "kubewright" });
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
  }
  const controllers = [storageProvisioner(localVolumes(options))];
  return operator({ name: `local-volumes-${name}`, controllers }).start({
    transport,
    logger,
    runHistory: false,
    failureEvents: false,
  });
}

function localVolumes({ name: node, folder }: LocalVolumeOptions): VolumeStore {
  const folderOf = (volume: string): string => join(folder, volume);
  return {
    name: "local-volumes",
    provisioner: localProvisioner,
    // The default class where there are simulated nodes too.
    alsoServes: [simulatedProvisioner],
    hasNode: (selected) => selected?.metadata.name === node,
    rejection: ({ spec }) => (spec?.volumeMode === "Block" ? "block volumes are not supported" : undefined),
    async create(volume) {
      // Containers of any user write to it. An explicit mode: mkdir's one is subject to the umask.
      await mkdir(folderOf(volume), { recursive: true });
      await chmod(folderOf(volume), 0o777);
      return { local: { path: folderOf(volume) } };
    },
    has: ({ spec }) =>
      spec?.nodeAffinity?.required?.nodeSelectorTerms[0]?.matchExpressions?.[0]?.values?.includes(node) === true,
    remove: (volume) => rm(folderOf(volume), { recursive: true, force: true }),
  };
}
