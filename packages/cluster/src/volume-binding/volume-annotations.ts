/** Marks a PVC whose binding is complete. */
export const bindCompleted = "pv.kubernetes.io/bind-completed";
/** Marks a PV or PVC that the controller, not a user, bound to the other side. */
export const boundByController = "pv.kubernetes.io/bound-by-controller";
/** On a PVC: the node that the scheduler selected for its volume. */
export const selectedNode = "volume.kubernetes.io/selected-node";
/** On a PVC: the external provisioner to create its volume. The deprecated name comes first. */
export const provisionerAnnotations = [
  "volume.beta.kubernetes.io/storage-provisioner",
  "volume.kubernetes.io/storage-provisioner",
] as const;
/** On a PV: the provisioner that created it. */
export const provisionedBy = "pv.kubernetes.io/provisioned-by";
