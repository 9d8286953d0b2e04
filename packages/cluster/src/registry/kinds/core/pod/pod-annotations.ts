import { forbidden, invalid } from "@kubewright/core/schema";
import type { Pod } from "kubewright/k8s/core/v1";
import type { Decoded } from "../../../decoded.js";
import type { Errors } from "../../../validation/index.js";

const mirror = "kubernetes.io/config.mirror";
const appArmorPrefix = "container.apparmor.security.beta.kubernetes.io/";
const deletionCost = "controller.kubernetes.io/pod-deletion-cost";

/** Validates the annotations that have a meaning for pods. */
export function checkPodAnnotations({ metadata, spec }: Decoded<Pod>, errors: Errors): void {
  const { [mirror]: mirrored, [deletionCost]: cost } = metadata?.annotations ?? {};
  if (mirrored !== undefined && !spec?.nodeName)
    errors.push(
      invalid(`metadata.annotations[${mirror}]`, mirrored, "must set spec.nodeName if mirror pod annotation is set"),
    );
  if (cost !== undefined && !isInt32(cost))
    errors.push(invalid(`metadata.annotations[${deletionCost}]`, cost, "must be a 32bit integer"));
}

/** The annotations of mirror pods and of AppArmor profiles are immutable. */
export function checkAnnotationUpdate(pod: Decoded<Pod>, old: Decoded<Pod>, errors: Errors): void {
  const [now, before] = [pod.metadata?.annotations ?? {}, old.metadata?.annotations ?? {}];
  if (now === before) return;
  const report = (key: string, what: string): void => {
    const field = `metadata.annotations[${key}]`;
    if (key === mirror) errors.push(forbidden(field, `may not ${what} mirror pod annotation`));
    if (key.startsWith(appArmorPrefix)) errors.push(forbidden(field, `may not ${what} AppArmor annotations`));
  };
  for (const [key, value] of Object.entries(before)) if (now[key] !== value) report(key, "remove or update");
  for (const key of Object.keys(now)) if (before[key] === undefined) report(key, "add");
}

function isInt32(value: string): boolean {
  return /^([+-]?[1-9]\d*|0)$/.test(value) && Math.abs(Number(value)) <= 2147483647;
}
