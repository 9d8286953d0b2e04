/** That the claim's binding is done. */
export const bindCompleted = "pv.kubernetes.io/bind-completed";
/** That a controller, not a person, chose the other side. */
export const boundByController = "pv.kubernetes.io/bound-by-controller";
/** Where a claim says on which node its volume is to be. */
export const selectedNode = "volume.kubernetes.io/selected-node";
/** By these a claim asks a provisioner for its volume: first the old one. */
export const provisionerAnnotations = [
  "volume.beta.kubernetes.io/storage-provisioner",
  "volume.kubernetes.io/storage-provisioner",
] as const;
/** Whose work a volume is. */
export const provisionedBy = "pv.kubernetes.io/provisioned-by";
