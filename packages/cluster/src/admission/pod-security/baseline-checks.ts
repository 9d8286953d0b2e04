import type { JsonObject } from "@kubewright/core/json";
import { listAt, numberAt, objectAt, textAt, textsAt } from "../../registry/index.js";
import {
  annotationText,
  type Check,
  type CheckedPod,
  containersText,
  hasUserNamespace,
  nameOf,
  namesWhere,
  plural,
  quoted,
  securityOf,
  settersText,
  unique,
  type Violation,
} from "./check.js";
import { checkSeccompAnnotations, checkSeccompFields } from "./seccomp.js";

const defaultCapabilities = new Set([
  ...["AUDIT_WRITE", "CHOWN", "DAC_OVERRIDE", "FOWNER", "FSETID", "KILL", "MKNOD", "NET_BIND_SERVICE"],
  ...["SETFCAP", "SETGID", "SETPCAP", "SETUID", "SYS_CHROOT"],
]);

const safeSysctls = {
  0: ["kernel.shm_rmid_forced", "net.ipv4.ip_local_port_range", "net.ipv4.tcp_syncookies"].concat(
    "net.ipv4.ping_group_range",
    "net.ipv4.ip_unprivileged_port_start",
  ),
  27: ["net.ipv4.ip_local_reserved_ports"],
  29: ["time", "intvl", "probes"].map((name) => `net.ipv4.tcp_keepalive_${name}`).concat("net.ipv4.tcp_fin_timeout"),
  32: ["net.ipv4.tcp_rmem", "net.ipv4.tcp_wmem"],
};

const selinuxTypes = ["", "container_t", "container_init_t", "container_kvm_t"];

/** The checks of the level `baseline`, sorted by their ids. */
export const baselineChecks: readonly Check[] = [
  { id: "appArmorProfile", versions: [[0, checkAppArmor]] },
  { id: "capabilities_baseline", versions: [[0, checkCapabilities]] },
  { id: "hostNamespaces", versions: [[0, checkHostNamespaces]] },
  { id: "hostPathVolumes", versions: [[0, checkHostPaths]] },
  { id: "hostPorts", versions: [[0, checkHostPorts]] },
  { id: "hostProbesAndHostLifecycle", versions: [[34, checkHandlerHosts]] },
  { id: "privileged", versions: [[0, checkPrivileged]] },
  {
    id: "procMount",
    versions: [
      [0, checkProcMount],
      [35, (pod) => (hasUserNamespace(pod) ? undefined : checkProcMount(pod))],
    ],
  },
  {
    id: "seLinuxOptions",
    versions: [
      [0, (pod) => checkSelinux(pod, selinuxTypes)],
      [31, (pod) => checkSelinux(pod, [...selinuxTypes, "container_engine_t"])],
    ],
  },
  {
    id: "seccompProfile_baseline",
    versions: [
      [0, checkSeccompAnnotations],
      [19, checkSeccompFields],
    ],
  },
  {
    id: "sysctls",
    versions: [0, 27, 29, 32].map((minor) => [minor, (pod) => checkSysctls(pod, minor)] as const),
  },
  { id: "windowsHostProcess", versions: [[0, checkHostProcess]] },
];

const appArmorPrefix = "container.apparmor.security.beta.kubernetes.io/";

function checkAppArmor(pod: CheckedPod): Violation | undefined {
  const typeOf = (part: JsonObject): string | undefined => {
    const profile = securityOf(part)["appArmorProfile"];
    return profile === undefined ? undefined : textAt(profile as JsonObject, "type");
  };
  const isBad = (part: JsonObject): boolean => !["RuntimeDefault", "Localhost", undefined].includes(typeOf(part));
  const isAllowed = (value: string): boolean =>
    value === "" || value === "runtime/default" || value.startsWith("localhost/");
  const annotations = Object.entries(pod.annotations)
    .filter(([key, value]) => key.startsWith(appArmorPrefix) && !isAllowed(String(value)))
    .map(([key, value]) => annotationText(key, value))
    .sort();
  const setters = [settersText(isBad(pod.spec), namesWhere(pod, isBad))].filter((text) => text !== "");
  const values = unique([pod.spec, ...pod.containers].filter(isBad).map((part) => typeOf(part) ?? ""));
  if (annotations.length > 0) setters.push(plural("annotation", annotations.length));
  if (setters.length === 0) return undefined;
  const all = [...values, ...annotations];
  return {
    reason: plural("forbidden AppArmor profile", all.length),
    detail: `${setters.join(" and ")} must not set AppArmor profile type to ${quoted(all)}`,
  };
}

function checkCapabilities(pod: CheckedPod): Violation | undefined {
  const addedBy = (container: JsonObject): string[] =>
    textsAt(objectAt(securityOf(container), "capabilities"), "add").filter((one) => !defaultCapabilities.has(one));
  const bad = namesWhere(pod, (container) => addedBy(container).length > 0);
  if (bad.length === 0) return undefined;
  const added = unique(pod.containers.flatMap(addedBy));
  return {
    reason: "non-default capabilities",
    detail: `${containersText(bad)} must not include ${quoted(added)} in securityContext.capabilities.add`,
  };
}

function checkHostNamespaces({ spec }: CheckedPod): Violation | undefined {
  const shared = ["hostNetwork", "hostPID", "hostIPC"].filter((field) => spec[field] === true);
  if (shared.length === 0) return undefined;
  return { reason: "host namespaces", detail: shared.map((field) => `${field}=true`).join(", ") };
}

function checkHostPaths({ spec }: CheckedPod): Violation | undefined {
  const volumes = (listAt(spec, "volumes") as readonly JsonObject[]).filter((one) => one["hostPath"] !== undefined);
  if (volumes.length === 0) return undefined;
  return {
    reason: "hostPath volumes",
    detail: `${plural("volume", volumes.length)} ${quoted(volumes.map(nameOf))}`,
  };
}

function checkHostPorts(pod: CheckedPod): Violation | undefined {
  const portsOf = (container: JsonObject): string[] =>
    (listAt(container, "ports") as readonly JsonObject[])
      .map((port) => numberAt(port, "hostPort"))
      .filter((port) => port !== 0)
      .map(String);
  const bad = namesWhere(pod, (container) => portsOf(container).length > 0);
  if (bad.length === 0) return undefined;
  const ports = unique(pod.containers.flatMap(portsOf));
  return {
    reason: "hostPort",
    detail: `${containersText(bad)} ${uses(bad)} ${plural("hostPort", ports.length)} ${ports.join(", ")}`,
  };
}

function uses(subjects: readonly string[]): string {
  return subjects.length === 1 ? "uses" : "use";
}

function checkHandlerHosts(pod: CheckedPod): Violation | undefined {
  const hostsOf = (container: JsonObject): string[] => {
    const probes = ["livenessProbe", "readinessProbe", "startupProbe"].map((name) => objectAt(container, name));
    const lifecycle = objectAt(container, "lifecycle");
    return [...probes, objectAt(lifecycle, "postStart"), objectAt(lifecycle, "preStop")]
      .flatMap((handler) => ["httpGet", "tcpSocket"].map((kind) => textAt(objectAt(handler, kind), "host")))
      .filter((host) => host !== "");
  };
  const bad = unique(namesWhere(pod, (container) => hostsOf(container).length > 0));
  if (bad.length === 0) return undefined;
  const hosts = unique(pod.containers.flatMap(hostsOf));
  return {
    reason: "probe or lifecycle host",
    detail: `${containersText(bad)} ${uses(bad)} ${plural("probe or lifecycle host", hosts.length)} ${quoted(hosts)}`,
  };
}

function checkPrivileged(pod: CheckedPod): Violation | undefined {
  const bad = namesWhere(pod, (container) => securityOf(container)["privileged"] === true);
  if (bad.length === 0) return undefined;
  return { reason: "privileged", detail: `${containersText(bad)} must not set securityContext.privileged=true` };
}

/** Forbids an unmasked /proc, also at the level `restricted`. */
export function checkProcMount(pod: CheckedPod): Violation | undefined {
  const isBad = (container: JsonObject): boolean => {
    const mount = securityOf(container)["procMount"];
    return mount !== undefined && mount !== "Default";
  };
  const bad = namesWhere(pod, isBad);
  if (bad.length === 0) return undefined;
  const types = unique(pod.containers.filter(isBad).map((container) => textAt(securityOf(container), "procMount")));
  return {
    reason: "procMount",
    detail: `${containersText(bad)} must not set securityContext.procMount to ${quoted(types)}`,
  };
}

function checkSelinux(pod: CheckedPod, allowed: readonly string[]): Violation | undefined {
  const optionsOf = (part: JsonObject): JsonObject => objectAt(securityOf(part), "seLinuxOptions");
  const sets = (part: JsonObject, field: string): boolean => textAt(optionsOf(part), field) !== "";
  const hasBadType = (part: JsonObject): boolean => !allowed.includes(textAt(optionsOf(part), "type"));
  const isBad = (part: JsonObject): boolean => hasBadType(part) || sets(part, "user") || sets(part, "role");
  const parts = [pod.spec, ...pod.containers];
  if (!parts.some(isBad)) return undefined;
  const types = unique(parts.filter(hasBadType).map((part) => textAt(optionsOf(part), "type")));
  const details = [
    ...(types.length > 0 ? [`${plural("type", types.length)} ${quoted(types)}`] : []),
    ...["user", "role"]
      .filter((field) => parts.some((part) => sets(part, field)))
      .map((one) => `${one} may not be set`),
  ];
  const setters = settersText(isBad(pod.spec), namesWhere(pod, isBad));
  return {
    reason: "seLinuxOptions",
    detail: `${setters} set forbidden securityContext.seLinuxOptions: ${details.join("; ")}`,
  };
}

function checkSysctls({ spec }: CheckedPod, minor: number): Violation | undefined {
  const safe = Object.entries(safeSysctls).flatMap(([from, names]) => (Number(from) <= minor ? names : []));
  const names = (listAt(securityOf(spec), "sysctls") as readonly JsonObject[]).map(nameOf);
  const bad = names.filter((name) => !safe.includes(name));
  return bad.length === 0 ? undefined : { reason: "forbidden sysctls", detail: bad.join(", ") };
}

function checkHostProcess(pod: CheckedPod): Violation | undefined {
  const isBad = (part: JsonObject): boolean => objectAt(securityOf(part), "windowsOptions")["hostProcess"] === true;
  const setters = settersText(isBad(pod.spec), namesWhere(pod, isBad));
  if (setters === "") return undefined;
  return { reason: "hostProcess", detail: `${setters} must not set securityContext.windowsOptions.hostProcess=true` };
}
