import { deepEqual } from "@kubewright/core/json";
import type { ReadPod } from "./scheduler-objects.js";

/** Whether a change of a pod can be news for where pods can be: not that it runs or is ready, nor that it is about to go, but that it is gone. */
export function isNews(old: ReadPod | undefined, now: ReadPod | undefined): boolean {
  if (old === undefined || now === undefined) return true;
  const isOver = ({ status }: ReadPod): boolean => status?.phase === "Succeeded" || status?.phase === "Failed";
  return (
    old.spec?.nodeName !== now.spec?.nodeName ||
    old.metadata.generation !== now.metadata.generation ||
    isOver(old) !== isOver(now) ||
    !deepEqual(old.metadata.labels, now.metadata.labels)
  );
}
