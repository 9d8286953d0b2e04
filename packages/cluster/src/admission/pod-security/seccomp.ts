import type { JsonObject } from "@kubewright/core/json";
import { textAt } from "../../registry/index.js";
import {
  annotationText,
  type CheckedPod,
  containersText,
  nameOf,
  namesWhere,
  plural,
  quoted,
  securityOf,
  settersText,
  unique,
  type Violation,
} from "./check.js";

const podKey = "seccomp.security.alpha.kubernetes.io/pod";
const containerPrefix = "container.seccomp.security.alpha.kubernetes.io/";
const reason = "seccompProfile";

/** Up to 1.18 annotations choose the seccomp profile. */
export function checkSeccompAnnotations({ annotations, containers }: CheckedPod): Violation | undefined {
  const isAllowed = (value: string): boolean =>
    value === "runtime/default" || value === "docker/default" || value.startsWith("localhost/");
  const keys = [podKey, ...containers.map((container) => containerPrefix + nameOf(container))];
  const bad = keys.filter((key) => Object.hasOwn(annotations, key) && !isAllowed(String(annotations[key])));
  if (bad.length === 0) return undefined;
  const shown = unique(bad.map((key) => annotationText(key, annotations[key])));
  return { reason, detail: `forbidden ${plural("annotation", shown.length)} ${shown.join(", ")}` };
}

/** Since 1.19 fields choose the seccomp profile. */
export function checkSeccompFields(pod: CheckedPod): Violation | undefined {
  const setters = settersText(isBad(pod.spec), namesWhere(pod, isBad));
  if (setters === "") return undefined;
  const types = unique([pod.spec, ...pod.containers].filter(isBad).map((part) => typeOf(part) ?? ""));
  return { reason, detail: `${setters} must not set securityContext.seccompProfile.type to ${quoted(types)}` };
}

/** At the level `restricted` every container has a profile: its own, or that of the pod. */
export function requireSeccomp(pod: CheckedPod): Violation | undefined {
  const violation = checkSeccompFields(pod);
  if (violation !== undefined || typeOf(pod.spec) !== undefined) return violation;
  const bad = namesWhere(pod, (container) => typeOf(container) === undefined);
  if (bad.length === 0) return undefined;
  return {
    reason,
    detail: `pod or ${containersText(bad)} must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost"`,
  };
}

function typeOf(part: JsonObject): string | undefined {
  const profile = securityOf(part)["seccompProfile"];
  return profile === undefined ? undefined : textAt(profile as JsonObject, "type");
}

function isBad(part: JsonObject): boolean {
  return !["RuntimeDefault", "Localhost", undefined].includes(typeOf(part));
}
