import type { JsonObject } from "@kubewright/core/json";
import { forbidden, invalid, notSupported, required } from "@kubewright/core/schema";
import { listAt, partAt, textAt } from "../../../draft.js";
import { subdomainName } from "../../../name-rules.js";
import { checkName, type Errors, entriesAt } from "../../../validation/index.js";

const label = "[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?";
const domainName = new RegExp(`^${label}(?:\\.${label})*$`);
const netBiosName = /^[^\\/:*?"<>|.][^\\/:*?"<>|]{0,14}$/;

/** Validates windowsOptions. */
export function checkWindowsOptions(context: JsonObject, field: string, errors: Errors): void {
  const options = partAt(context, "windowsOptions");
  if (options === undefined) return;
  const at = `${field}.windowsOptions`;
  const { gmsaCredentialSpecName: name, gmsaCredentialSpec: spec, runAsUserName: user } = options;
  if (typeof name === "string") checkName(name, subdomainName, `${at}.gmsaCredentialSpecName`, errors);
  if (spec === "")
    errors.push(invalid(`${at}.gmsaCredentialSpec`, spec, "gmsaCredentialSpec cannot be an empty string"));
  else if (typeof spec === "string" && spec.length > 65_536)
    errors.push(invalid(`${at}.gmsaCredentialSpec`, spec, "gmsaCredentialSpec size must be under 64 KiB"));
  if (typeof user === "string")
    for (const detail of userProblems(user)) errors.push(invalid(`${at}.runAsUserName`, user, detail));
}

function userProblems(text: string): string[] {
  if (text === "") return ["runAsUserName cannot be an empty string"];
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  if (/[\u0000-\u001f\u007f]/.test(text)) return ["runAsUserName cannot contain control characters"];
  const parts = text.split("\\");
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
export function allContainers(spec: JsonObject, field: string): (readonly [JsonObject, string])[] {
  return ["initContainers", "containers", "ephemeralContainers"].flatMap((list) => entriesAt(spec, list, field));
}

function isHostProcess(holder: JsonObject): boolean | undefined {
  const value = partAt(partAt(holder, "securityContext") ?? {}, "windowsOptions")?.["hostProcess"];
  return typeof value === "boolean" ? value : undefined;
}

/** HostProcess applies to all containers of a pod, and requires hostNetwork. */
export function checkHostProcess(spec: JsonObject, field: string, errors: Errors): void {
  const ofPod = isHostProcess(spec);
  const containers = allContainers(spec, field);
  let found = 0;
  for (const [container, at] of containers) {
    const own = isHostProcess(container);
    if (ofPod !== undefined && own !== undefined && ofPod !== own)
      errors.push(
        invalid(
          `${at}.securityContext.windowsOptions.hostProcess`,
          own,
          `pod hostProcess value must be identical if both are specified, was ${ofPod}`,
        ),
      );
    if (own ?? ofPod) found++;
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
  if (spec["hostNetwork"] !== true)
    errors.push(
      invalid(`${field}.hostNetwork`, false, "hostNetwork must be true if pod contains any hostProcess containers"),
    );
}

const notOfPods = [
  "securityContext.appArmorProfile",
  "securityContext.seLinuxOptions",
  "hostUsers",
  "hostPID",
  "hostIPC",
  "securityContext.seccompProfile",
  "securityContext.fsGroup",
  "securityContext.fsGroupChangePolicy",
  "securityContext.sysctls",
  "shareProcessNamespace",
  "securityContext.runAsUser",
  "securityContext.runAsGroup",
  "securityContext.supplementalGroups",
  "securityContext.supplementalGroupsPolicy",
  "securityContext.seLinuxChangePolicy",
];

const notOfContainers = [
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
];

const notOfWindows = "cannot be set for a windows pod";

/** Validates the os of a pod, and fields of the other operating system. */
export function checkSystem(spec: JsonObject, field: string, errors: Errors): void {
  const os = partAt(spec, "os");
  if (os === undefined) return;
  const system = textAt(os, "name");
  if (system === "") errors.push(required(`${field}.os.name`));
  else if (system === "linux") checkLinux(spec, field, errors);
  else if (system === "windows") checkWindows(spec, field, errors);
  else errors.push(notSupported(`${field}.os`, system, ["linux", "windows"]));
}

function checkLinux(spec: JsonObject, field: string, errors: Errors): void {
  for (const [holder, at] of [[spec, field] as const, ...allContainers(spec, field)])
    if (partAt(partAt(holder, "securityContext") ?? {}, "windowsOptions") !== undefined)
      errors.push(forbidden(`${at}.securityContext.windowsOptions`, "windows options cannot be set for a linux pod"));
}

function checkWindows(spec: JsonObject, field: string, errors: Errors): void {
  for (const path of notOfPods) {
    const [first = "", second] = path.split(".");
    const value = second === undefined ? spec[first] : partAt(spec, first)?.[second];
    const isUnset =
      value === undefined ||
      (value === false && /^host(PID|IPC)$/.test(path)) ||
      (second === "sysctls" && listAt(partAt(spec, first) ?? {}, second).length === 0);
    if (!isUnset) errors.push(forbidden(`${field}.${path}`, notOfWindows));
  }
  for (const [container, at] of allContainers(spec, field)) {
    const context = partAt(container, "securityContext") ?? {};
    for (const key of notOfContainers)
      if (context[key] !== undefined) errors.push(forbidden(`${at}.securityContext.${key}`, notOfWindows));
  }
}
