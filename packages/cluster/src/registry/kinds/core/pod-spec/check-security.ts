import type { JsonObject } from "@kubewright/core/json";
import { duplicate, forbidden, invalid, required, tooLong } from "@kubewright/core/schema";
import { listAt, partAt, textAt, textsAt } from "../../../draft.js";
import {
  checkAccount,
  checkDescendingPath,
  checkEnum,
  checkOptionalEnum,
  checkRange,
  type Errors,
  entriesAt,
} from "../../../validation/index.js";
import { allContainers, checkWindowsOptions } from "./check-windows.js";

const profileTypes = ["Localhost", "RuntimeDefault", "Unconfined"];
const sysctlPattern = "^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$";
const sysctlName = new RegExp(sysctlPattern);

/** Validates the security context of a container. `sharesUsers` is false for hostUsers: false. */
export function checkSecurityContext(context: JsonObject, field: string, sharesUsers: boolean, errors: Errors): void {
  checkAccount(context, "runAsUser", field, errors);
  checkAccount(context, "runAsGroup", field, errors);
  const mount = context["procMount"];
  checkOptionalEnum(mount, ["Default", "Unmasked"], `${field}.procMount`, errors);
  if (mount === "Unmasked" && sharesUsers)
    errors.push(invalid(`${field}.procMount`, mount, "`hostUsers` must be false to use `Unmasked`"));
  checkSeccomp(context, field, errors);
  if (context["allowPrivilegeEscalation"] === false) {
    if (context["privileged"] === true)
      errors.push(
        invalid(field, printed(context), "cannot set `allowPrivilegeEscalation` to false and `privileged` to true"),
      );
    for (const capability of textsAt(partAt(context, "capabilities") ?? {}, "add"))
      if (capability === "CAP_SYS_ADMIN")
        errors.push(
          invalid(
            field,
            printed(context),
            "cannot set `allowPrivilegeEscalation` to false and `capabilities.Add` CAP_SYS_ADMIN",
          ),
        );
  }
  checkWindowsOptions(context, field, errors);
  checkAppArmor(context, field, errors);
}

/** The set fields of a container's security context. */
function printed(context: JsonObject): JsonObject {
  const names = [
    "capabilities",
    "privileged",
    "seLinuxOptions",
    "windowsOptions",
    "runAsUser",
    "runAsGroup",
    "runAsNonRoot",
    "readOnlyRootFilesystem",
    "allowPrivilegeEscalation",
    "procMount",
    "seccompProfile",
    "appArmorProfile",
  ];
  return Object.fromEntries(names.map((name) => [name, context[name] ?? null]).filter(([, value]) => value !== null));
}

function checkSeccomp(parent: JsonObject, field: string, errors: Errors): void {
  const profile = partAt(parent, "seccompProfile");
  if (profile === undefined) return;
  const at = `${field}.seccompProfile`;
  const type = textAt(profile, "type");
  if (type === "") errors.push(required(`${at}.type`, "type is required when seccompProfile is set"));
  else checkEnum(type, profileTypes, `${at}.type`, errors);
  const path = profile["localhostProfile"];
  if (type !== "Localhost") {
    if (path !== undefined)
      errors.push(invalid(`${at}.localhostProfile`, path, "can only be set when seccomp type is Localhost"));
  } else if (typeof path !== "string")
    errors.push(required(`${at}.localhostProfile`, "must be set when seccomp type is Localhost"));
  else checkDescendingPath(path, `${at}.localhostProfile`, errors);
}

function checkAppArmor(parent: JsonObject, field: string, errors: Errors): void {
  const profile = partAt(parent, "appArmorProfile");
  if (profile === undefined) return;
  const at = `${field}.appArmorProfile`;
  const type = textAt(profile, "type");
  const path = profile["localhostProfile"];
  if (type === "") errors.push(required(`${at}.type`, "type is required when appArmorProfile is set"));
  else if (type !== "Localhost") {
    checkEnum(type, profileTypes, `${at}.type`, errors);
    if (path !== undefined && profileTypes.includes(type))
      errors.push(invalid(`${at}.localhostProfile`, path, "can only be set when AppArmor type is Localhost"));
  } else if (typeof path !== "string" || path === "")
    errors.push(required(`${at}.localhostProfile`, "must be set when AppArmor type is Localhost"));
  else {
    if (path.trim() !== path)
      errors.push(invalid(`${at}.localhostProfile`, path, "must not be padded with whitespace"));
    if (Buffer.byteLength(path) > 4095) errors.push(tooLong(`${at}.localhostProfile`, 4095));
  }
}

/** Validates the security context of a pod. */
export function checkPodSecurityContext(spec: JsonObject, field: string, errors: Errors): void {
  const context = partAt(spec, "securityContext");
  const at = `${field}.securityContext`;
  if (context !== undefined) {
    for (const key of ["fsGroup", "runAsUser", "runAsGroup"]) checkAccount(context, key, at, errors);
    for (const [index, group] of listAt(context, "supplementalGroups").entries())
      if (typeof group === "number")
        checkRange(group, { min: 0, max: 2147483647, field: `${at}.supplementalGroups[${index}]`, errors });
  }
  if (spec["shareProcessNamespace"] === true && spec["hostPID"] === true)
    errors.push(
      invalid(`${at}.shareProcessNamespace`, true, "ShareProcessNamespace and HostPID cannot both be enabled"),
    );
  if (context === undefined) return;
  checkSysctls(context, spec, at, errors);
  checkOptionalEnum(context["fsGroupChangePolicy"], ["Always", "OnRootMismatch"], `${at}.fsGroupChangePolicy`, errors);
  checkSeccomp(context, at, errors);
  checkWindowsOptions(context, at, errors);
  checkAppArmor(context, at, errors);
  checkOptionalEnum(context["supplementalGroupsPolicy"], ["Merge", "Strict"], `${at}.supplementalGroupsPolicy`, errors);
  checkOptionalEnum(context["seLinuxChangePolicy"], ["Recursive"], `${at}.seLinuxChangePolicy`, errors);
}

function checkSysctls(context: JsonObject, spec: JsonObject, field: string, errors: Errors): void {
  const seen = new Set<string>();
  for (const [sysctl, at] of entriesAt(context, "sysctls", field)) {
    const name = textAt(sysctl, "name");
    const place = `${at}.name`;
    if (name === "") errors.push(required(place));
    else if (name.length > 253 || !sysctlName.test(name))
      errors.push(invalid(place, name, `must have at most 253 characters and match regex ${sysctlPattern}`));
    else if (seen.has(name)) errors.push(duplicate(place, name));
    const plain = name.replaceAll("/", ".");
    if (spec["hostNetwork"] === true && plain.startsWith("net."))
      errors.push(invalid(place, name, "may not be specified when 'hostNetwork' is true"));
    if (spec["hostIPC"] === true && /^(kernel\.(shm|msg|sem)|fs\.mqueue\.)/.test(plain))
      errors.push(invalid(place, name, "may not be specified when 'hostIPC' is true"));
    seen.add(name);
  }
}

/** Validates what hostUsers: false excludes. */
export function checkHostUsers(spec: JsonObject, field: string, errors: Errors): void {
  if (spec["hostUsers"] !== false) return;
  for (const [key, name] of [
    ["hostNetwork", "hostNetwork"],
    ["hostPID", "HostPID"],
    ["hostIPC", "HostIPC"],
  ] as const)
    if (spec[key] === true) errors.push(forbidden(`${field}.${name}`, "when `hostUsers` is false"));
  for (const [container, at] of allContainers(spec, field))
    if (listAt(container, "volumeDevices").length > 0)
      errors.push(forbidden(`${at}.volumeDevices`, "when `hostUsers` is false"));
}
