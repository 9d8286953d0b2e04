import { deepEqual, type JsonObject } from "@kubewright/core/json";
import type { Container, Pod, PodTemplateSpec } from "kubewright/k8s/core/v1";
import type { Decoded, Drafted } from "../../../decoded.js";
import { childDraft } from "../../../draft.js";

const appArmorPrefix = "container.apparmor.security.beta.kubernetes.io/";
const seccompPod = "seccomp.security.alpha.kubernetes.io/pod";
const seccompPrefix = "container.seccomp.security.alpha.kubernetes.io/";
const deprecated = 'deprecated since v1.30; use the "appArmorProfile" field instead';
const nonFunctional = 'non-functional in v1.27+; use the "seccompProfile" field instead';
const longestProfile = 4_095;

/** Sets the AppArmor profiles that annotations of a new pod choose, and warns about these annotations. */
export function applyAppArmorAnnotations({ metadata, spec = {} }: Drafted<Pod>, warn: (message: string) => void): void {
  const annotations = metadata?.annotations;
  if (annotations === undefined || spec.os?.name === "windows") return;
  for (const list of ["initContainers", "containers", "ephemeralContainers"] as const)
    for (const container of spec[list] ?? []) {
      const key = appArmorPrefix + container.name;
      const annotation = annotations[key];
      if (annotation === undefined || container.securityContext?.appArmorProfile) continue;
      const profile = profileOf(annotation);
      const isOfPod = deepEqual((profile ?? null) as never, (spec.securityContext?.appArmorProfile ?? null) as never);
      if (profile !== undefined && !isOfPod) childDraft(container, "securityContext").appArmorProfile = profile;
      if (profile === undefined || !isOfPod) warn(`metadata.annotations[${key}]: ${deprecated}`);
    }
}

type Profile =
  | { readonly type: "Unconfined" | "RuntimeDefault" }
  | { readonly type: "Localhost"; readonly localhostProfile: string };

/** The profile that an annotation names; undefined if it is not valid. */
function profileOf(annotation: string): Profile | undefined {
  if (annotation === "unconfined") return { type: "Unconfined" };
  if (annotation === "runtime/default") return { type: "RuntimeDefault" };
  const [, localhostProfile = ""] = /^localhost\/(.*)$/s.exec(annotation) ?? [];
  const isValid =
    localhostProfile !== "" &&
    localhostProfile.trim() === localhostProfile &&
    Buffer.byteLength(localhostProfile) <= longestProfile;
  return isValid ? { type: "Localhost", localhostProfile } : undefined;
}

/** Warns about a seccomp annotation of a pod, or about those of a container, where no field replaces it. */
export function warnSeccompAnnotation(
  { metadata, spec }: Decoded<PodTemplateSpec>,
  container: Decoded<Container> | undefined,
  warn: (key: string, message: string) => void,
): void {
  const key = container === undefined ? seccompPod : seccompPrefix + container.name;
  const part = container ?? spec;
  if (metadata?.annotations?.[key] !== undefined && !part?.securityContext?.seccompProfile) warn(key, nonFunctional);
}

/** Warns about the AppArmor annotation of a container in a pod template, where no field replaces it. */
export function warnAppArmorAnnotation(
  { metadata, spec }: Decoded<PodTemplateSpec>,
  container: Decoded<Container>,
  warn: (key: string, message: string) => void,
): void {
  const key = appArmorPrefix + container.name;
  const annotation = metadata?.annotations?.[key];
  if (annotation === undefined || container.securityContext?.appArmorProfile) return;
  const ofPod = spec?.securityContext?.appArmorProfile;
  if (ofPod === undefined || !deepEqual(ofPod as JsonObject, (profileOf(annotation) ?? {}) as JsonObject))
    warn(key, deprecated);
}
