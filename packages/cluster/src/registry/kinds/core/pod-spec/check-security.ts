import { duplicate, forbidden, invalid, required, tooLong } from "@kubewright/core/schema";
import type { PodSecurityContext, PodSpec, SecurityContext } from "kubewright/k8s/core/v1";
import type { Decoded } from "../../../decoded.js";
import {
  checkDescendingPath,
  checkEnum,
  checkId,
  checkOptionalEnum,
  checkRange,
  type Errors,
  entriesAt,
} from "../../../validation/index.js";
import { allContainers, checkWindowsOptions } from "./check-windows.js";

const profileTypes = ["Localhost", "RuntimeDefault", "Unconfined"];
const sysctlPattern = "^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$";
const sysctlName = new RegExp(sysctlPattern);

/** Validates the security context of a container. `usesHostUsers` is false for hostUsers: false. */
export function checkSecurityContext(
  context: Decoded<SecurityContext>,
  field: string,
  usesHostUsers: boolean,
  errors: Errors,
): void {
  checkId(context, "runAsUser", field, errors);
  checkId(context, "runAsGroup", field, errors);
  const mount = context.procMount;
  checkOptionalEnum(mount, ["Default", "Unmasked"], `${field}.procMount`, errors);
  if (mount === "Unmasked" && usesHostUsers)
    errors.push(invalid(`${field}.procMount`, mount, "`hostUsers` must be false to use `Unmasked`"));
  checkSeccomp(context, field, errors);
  if (context.allowPrivilegeEscalation === false) {
    const reject = (other: string): unknown =>
      errors.push(invalid(field, context, `cannot set \`allowPrivilegeEscalation\` to false and ${other}`));
    if (context.privileged) reject("`privileged` to true");
    if (context.capabilities?.add?.includes("CAP_SYS_ADMIN")) reject("`capabilities.Add` CAP_SYS_ADMIN");
  }
  checkWindowsOptions(context, field, errors);
  checkAppArmor(context, field, errors);
}

/** The security context of a pod or of a container. */
type AnyContext = Decoded<PodSecurityContext & SecurityContext>;

function checkSeccomp({ seccompProfile: profile }: AnyContext, field: string, errors: Errors): void {
  if (profile === undefined) return;
  const at = `${field}.seccompProfile`;
  const { type = "", localhostProfile: path } = profile;
  if (type === "") errors.push(required(`${at}.type`, "type is required when seccompProfile is set"));
  else checkEnum(type, profileTypes, `${at}.type`, errors);
  if (type !== "Localhost") {
    if (path !== undefined)
      errors.push(invalid(`${at}.localhostProfile`, path, "can only be set when seccomp type is Localhost"));
  } else if (path === undefined)
    errors.push(required(`${at}.localhostProfile`, "must be set when seccomp type is Localhost"));
  else checkDescendingPath(path, `${at}.localhostProfile`, errors);
}

function checkAppArmor({ appArmorProfile: profile }: AnyContext, field: string, errors: Errors): void {
  if (profile === undefined) return;
  const at = `${field}.appArmorProfile`;
  const { type = "", localhostProfile: path } = profile;
  if (type === "") errors.push(required(`${at}.type`, "type is required when appArmorProfile is set"));
  else if (type !== "Localhost") {
    checkEnum(type, profileTypes, `${at}.type`, errors);
    if (path !== undefined && profileTypes.includes(type))
      errors.push(invalid(`${at}.localhostProfile`, path, "can only be set when AppArmor type is Localhost"));
  } else if (!path) errors.push(required(`${at}.localhostProfile`, "must be set when AppArmor type is Localhost"));
  else {
    if (path.trim() !== path)
      errors.push(invalid(`${at}.localhostProfile`, path, "must not be padded with whitespace"));
    if (Buffer.byteLength(path) > 4095) errors.push(tooLong(`${at}.localhostProfile`, 4095));
  }
}

/** Validates the security context of a pod. */
export function checkPodSecurityContext(spec: Decoded<PodSpec>, field: string, errors: Errors): void {
  const context = spec.securityContext;
  const at = `${field}.securityContext`;
  if (context !== undefined) {
    for (const key of ["fsGroup", "runAsUser", "runAsGroup"] as const) checkId(context, key, at, errors);
    for (const [index, group] of (context.supplementalGroups ?? []).entries())
      checkRange(group, { min: 0, max: 2147483647, field: `${at}.supplementalGroups[${index}]`, errors });
  }
  if (spec.shareProcessNamespace && spec.hostPID)
    errors.push(
      invalid(`${at}.shareProcessNamespace`, true, "ShareProcessNamespace and HostPID cannot both be enabled"),
    );
  if (context === undefined) return;
  checkSysctls(spec, at, errors);
  checkOptionalEnum(context.fsGroupChangePolicy, ["Always", "OnRootMismatch"], `${at}.fsGroupChangePolicy`, errors);
  checkSeccomp(context, at, errors);
  checkWindowsOptions(context, at, errors);
  checkAppArmor(context, at, errors);
  checkOptionalEnum(context.supplementalGroupsPolicy, ["Merge", "Strict"], `${at}.supplementalGroupsPolicy`, errors);
  checkOptionalEnum(context.seLinuxChangePolicy, ["Recursive"], `${at}.seLinuxChangePolicy`, errors);
}

function checkSysctls(spec: Decoded<PodSpec>, field: string, errors: Errors): void {
  const seen = new Set<string>();
  for (const [{ name = "" }, at] of entriesAt(spec.securityContext ?? {}, "sysctls", field)) {
    const place = `${at}.name`;
    if (name === "") errors.push(required(place));
    else if (name.length > 253 || !sysctlName.test(name))
      errors.push(invalid(place, name, `must have at most 253 characters and match regex ${sysctlPattern}`));
    else if (seen.has(name)) errors.push(duplicate(place, name));
    const plain = name.replaceAll("/", ".");
    if (spec.hostNetwork && plain.startsWith("net."))
      errors.push(invalid(place, name, "may not be specified when 'hostNetwork' is true"));
    if (spec.hostIPC && /^(kernel\.(shm|msg|sem)|fs\.mqueue\.)/.test(plain))
      errors.push(invalid(place, name, "may not be specified when 'hostIPC' is true"));
    seen.add(name);
  }
}

/** Rejects fields that hostUsers: false excludes. */
export function checkHostUsers(spec: Decoded<PodSpec>, field: string, errors: Errors): void {
  if (spec.hostUsers !== false) return;
  for (const [key, name] of [
    ["hostNetwork", "hostNetwork"],
    ["hostPID", "HostPID"],
    ["hostIPC", "HostIPC"],
  ] as const)
    if (spec[key]) errors.push(forbidden(`${field}.${name}`, "when `hostUsers` is false"));
  for (const [container, at] of allContainers(spec, field))
    if (container.volumeDevices?.length) errors.push(forbidden(`${at}.volumeDevices`, "when `hostUsers` is false"));
}
