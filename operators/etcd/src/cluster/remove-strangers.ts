import { PersistentVolumeClaim, Pod } from "kubewright/k8s/core/v1";
import type { Step } from "./context.js";
import { isTerminating } from "./member-state.js";

/** Deletes the Pods of this cluster that are not members, and then their volumes: of members that were removed, also by a run that crashed. */
export const removeStrangers: Step = async ({ context, view }) => {
  // Only a quorum knows who is a member.
  if (view.list === undefined) return undefined;
  const strangers = view.members.filter(({ entry }) => entry === undefined);
  for (const stranger of strangers) {
    if (stranger.pod === undefined || isTerminating(stranger)) continue;
    await context.delete(Pod, stranger.name);
    return { again: "2s" };
  }
  for (const { name, pod, volume } of strangers) {
    if (pod !== undefined || volume === undefined || volume.metadata.deletionTimestamp !== undefined) continue;
    await context.delete(PersistentVolumeClaim, name);
    return { again: "2s" };
  }
  return undefined;
};
