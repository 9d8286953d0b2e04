import { deepEqual } from "@kubewright/core/json";
import type { ReadPod } from "./scheduler-objects.js";

/** Whether a change of a pod can be news for where pods can be: not that it runs or is ready, nor that it is about to go, but that it is gone. */
export function isNews(old: ReadPod | undefined, now: ReadPod | undefined): boolean {
  if (old === undefined || now === undefined) return true;
  return old.spec?.nodeName !== now.spec?.nodeName || countsOtherwise(old, now);
}

/** Whether a pod counts otherwise than before on the node where it is. */
export function countsOtherwise(old: ReadPod, now: ReadPod): boolean {
  return (
    old.metadata.generation !== now.metadata.generation ||
    isOver(old) !== isOver(now) ||
    !deepEqual(old.metadata.labels, now.metadata.labels)
  );
}

function isOver({ status }: ReadPod): boolean {
  return status?.phase === "Succeeded" || status?.phase === "Failed";
}
