import { deepEqual } from "@kubewright/core/json";
import type { ReadPod } from "./scheduler-objects.js";

/** Whether a Pod change can affect scheduling: not status changes or a started deletion, only the final one. */
export function affectsScheduling(old: ReadPod | undefined, now: ReadPod | undefined): boolean {
  if (old === undefined || now === undefined) return true;
  return old.spec?.nodeName !== now.spec?.nodeName || affectsNode(old, now);
}

/** Whether a Pod change affects the state of its node. */
export function affectsNode(old: ReadPod, now: ReadPod): boolean {
  return (
    old.metadata.generation !== now.metadata.generation ||
    isTerminal(old) !== isTerminal(now) ||
    !deepEqual(old.metadata.labels, now.metadata.labels)
  );
}

function isTerminal({ status }: ReadPod): boolean {
  return status?.phase === "Succeeded" || status?.phase === "Failed";
}
