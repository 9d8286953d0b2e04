import type { JsonObject } from "@kubewright/core/json";
import { forbidden, invalid, notSupported, required } from "@kubewright/core/schema";
import type { Container, PodSecurityContext, PodSpec, SecurityContext } from "kubewright/k8s/core/v1";
import type { Decoded } from "../../../decoded.js";
import { subdomainName } from "../../../name-rules.js";
import { checkName, type Errors, entriesAt } from "../../../validation/index.js";

const label = "[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?";
const domainName = new RegExp(`^${label}(?:\\.${label})*$`);
const netBiosName = /^[^\\/:*?"<>|.][^\\/:*?"<>|]{0,14}$/;

/** Validates windowsOptions. */
export function checkWindowsOptions(
  { windowsOptions: options }: Decoded<PodSecurityContext & SecurityContext>,
  field: string,
  errors: Errors,
): void {
  if (options === undefined) return;
  const at = `${field}.windowsOptions`;
  const { gmsaCredentialSpecName: name, gmsaCredentialSpec: spec, runAsUserName: user } = options;
  if (name !== undefined) checkName(name, subdomainName, `${at}.gmsaCredentialSpecName`, errors);
  if (spec === "")
    errors.push(invalid(`${at}.gmsaCredentialSpec`, spec, "gmsaCredentialSpec cannot be an empty string"));
  else if (spec !== undefined && spec.length > 65_536)
    errors.push(invalid(`${at}.gmsaCredentialSpec`, spec, "gmsaCredentialSpec size must be under 64 KiB"));
  if (user !== undefined)
    for (const detail of userProblems(user)) errors.push(invalid(`${at}.runAsUserName`, user, detail));
}

function userProblems(name: string): string[] {
  if (name === "") return ["runAsUserName cannot be an empty string"];
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the check is about control characters
  if (/[\u0000-\u001f\u007f]/.test(name)) return ["runAsUserName cannot contain control characters"];
  const parts = name.split("\\");
  if (parts.length > 2) return ["runAsUserName cannot contain more than one backslash"];
  const user = parts.at(-1) ?? "";
  const domain = parts.length === 2 ? parts[0] : undefined;
  const problems: string[] = [];
  if ((domain?.length ?? 0) >= 256) problems.push("runAsUserName's Domain length must be under 256 characters");
  if (domain !== undefined && !netBiosName.test(domain) && !domainName.test(domain))
    problems.push("runAsUserName's Domain doesn't match the NetBios nor the DNS format");
  if (user === "") problems.push("runAsUserName's User cannot be empty");
  else if (Buffer.byteLength(user) > 104)
    problems.push("runAsUserName's User length must not be longer than 104 characters");
  if (/^[. ]+$/.test(user)) problems.push("runAsUserName's User cannot contain only periods or spaces");
  if (/["/\\:;|=,+*?<>@[\]]/.test(user))
    problems.push("runAsUserName's User cannot contain the following characters: \"/\\:;|=,+*?<>@[]");
  return problems;
}

/** All containers of a pod, in the order of kube-apiserver. */
export function allContainers(spec: Decoded<PodSpec>, field: string): (readonly [Decoded<Container>, string])[] {
  const lists = ["initContainers", "containers", "ephemeralContainers"] as const;
  return lists.flatMap((list) => entriesAt(spec, list, field));
}

function isHostProcess({ securityContext }: Decoded<Container> | Decoded<PodSpec>): boolean | undefined {
  return securityContext?.windowsOptions?.hostProcess;
}

/** HostProcess must be set for all containers of a pod or none, and requires hostNetwork. */
export function checkHostProcess(spec: Decoded<PodSpec>, field: string, errors: Errors): void {
  const podValue = isHostProcess(spec);
  const containers = allContainers(spec, field);
  let found = 0;
  for (const [container, at] of containers) {
    const own = isHostProcess(container);
    if (podValue !== undefined && own !== undefined && podValue !== own)
      errors.push(
        invalid(
          `${at}.securityContext.windowsOptions.hostProcess`,
          own,
          `pod hostProcess value must be identical if both are specified, was ${podValue}`,
        ),
      );
    if (own ?? podValue) found++;
  }
  if (found === 0) return;
  if (found !== containers.length)
    errors.push(
      invalid(
        field,
        "",
        "If pod contains any hostProcess containers then all containers must be HostProcess containers",
      ),
    );
  if (!spec.hostNetwork)
    errors.push(
      invalid(`${field}.hostNetwork`, false, "hostNetwork must be true if pod contains any hostProcess containers"),
    );
}

const linuxPodFields = [
  "hostUsers",
  "hostPID",
  "hostIPC",
  "shareProcessNamespace",
] as const satisfies readonly (keyof PodSpec)[];

const linuxPodContextFields = [
  "appArmorProfile",
  "seLinuxOptions",
  "seccompProfile",
  "fsGroup",
  "fsGroupChangePolicy",
  "sysctls",
  "runAsUser",
  "runAsGroup",
  "supplementalGroups",
  "supplementalGroupsPolicy",
  "seLinuxChangePolicy",
] as const satisfies readonly (keyof PodSecurityContext)[];

const linuxContainerContextFields = [
  "appArmorProfile",
  "seLinuxOptions",
  "seccompProfile",
  "capabilities",
  "readOnlyRootFilesystem",
  "privileged",
  "allowPrivilegeEscalation",
  "procMount",
  "runAsUser",
  "runAsGroup",
] as const satisfies readonly (keyof SecurityContext)[];

const notForWindows = "cannot be set for a windows pod";

/** Validates the os of a pod, and fields of the other operating system. */
export function checkOs(spec: Decoded<PodSpec>, field: string, errors: Errors): void {
  if (spec.os === undefined) return;
  const system = spec.os.name ?? "";
  if (system === "") errors.push(required(`${field}.os.name`));
  else if (system === "linux") checkLinux(spec, field, errors);
  else if (system === "windows") checkWindows(spec, field, errors);
  else errors.push(notSupported(`${field}.os`, system, ["linux", "windows"]));
}

function checkLinux(spec: Decoded<PodSpec>, field: string, errors: Errors): void {
  for (const [{ securityContext }, at] of [[spec, field] as const, ...allContainers(spec, field)])
    if (securityContext?.windowsOptions)
      errors.push(forbidden(`${at}.securityContext.windowsOptions`, "windows options cannot be set for a linux pod"));
}

function checkWindows(spec: Decoded<PodSpec>, field: string, errors: Errors): void {
  checkAbsent(spec, linuxPodFields, field, errors);
  checkAbsent(spec.securityContext ?? {}, linuxPodContextFields, `${field}.securityContext`, errors);
  for (const [{ securityContext = {} }, at] of allContainers(spec, field))
    checkAbsent(securityContext, linuxContainerContextFields, `${at}.securityContext`, errors);
}

function checkAbsent<T extends JsonObject>(
  object: T,
  keys: readonly (keyof T & string)[],
  field: string,
  errors: Errors,
): void {
  for (const key of keys) if (object[key] !== undefined) errors.push(forbidden(`${field}.${key}`, notForWindows));
}
