import { hasKubelet } from "../../node/index.js";
import { localProvisioner, simulatedProvisioner } from "./storage-classes.js";
import type { VolumeStore } from "./volume-store.js";

/** The volumes of simulated nodes, on which no container writes: nothing is stored. */
export const simulatedVolumes: VolumeStore = {
  name: "storage-provisioner",
  provisioner: simulatedProvisioner,
  alsoServes: [localProvisioner],
  // A kubelet would write to the folder that the PV names.
  hasNode: (node) => !hasKubelet(node),
  create: async (volume, { metadata: { namespace = "", name } }) => ({
    hostPath: { path: `/var/simulated-volumes/${volume}_${namespace}_${name}`, type: "DirectoryOrCreate" },
  }),
  has: () => true,
  remove: async () => {},
};
