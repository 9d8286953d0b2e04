import type {
  Container,
  ContainerPort,
  NodeSelectorTerm,
  PersistentVolumeClaimSpec,
  PodSpec,
  PodTemplateSpec,
  Volume,
} from "kubewright/k8s/core/v1";
import type { ObjectMeta } from "kubewright/k8s/meta/v1";
import type { Decoded } from "../../../decoded.js";
import { labelValue } from "../../../name-rules.js";
import { addressWarnings, entriesAt, quantityOf } from "../../../validation/index.js";
import { warnAppArmorAnnotation, warnSeccompAnnotation } from "./annotated-profiles.js";
import { pathWarnings } from "./path-warnings.js";

const nodeLabels: Readonly<Record<string, string>> = {
  "beta.kubernetes.io/arch": 'deprecated since v1.14; use "kubernetes.io/arch" instead',
  "beta.kubernetes.io/os": 'deprecated since v1.14; use "kubernetes.io/os" instead',
  "failure-domain.beta.kubernetes.io/region": 'deprecated since v1.17; use "topology.kubernetes.io/region" instead',
  "failure-domain.beta.kubernetes.io/zone": 'deprecated since v1.17; use "topology.kubernetes.io/zone" instead',
  "beta.kubernetes.io/instance-type": 'deprecated since v1.17; use "node.kubernetes.io/instance-type" instead',
  "node-role.kubernetes.io/master": 'use "node-role.kubernetes.io/control-plane" instead',
};
const annotations: Readonly<Record<string, string>> = {
  "scheduler.alpha.kubernetes.io/critical-pod": 'non-functional in v1.16+; use the "priorityClassName" field instead',
  "security.alpha.kubernetes.io/sysctls": 'non-functional in v1.11+; use the "sysctls" field instead',
  "security.alpha.kubernetes.io/unsafe-sysctls": 'non-functional in v1.11+; use the "sysctls" field instead',
};
const volumes: readonly (readonly [source: keyof Volume, warning: string])[] = [
  ["photonPersistentDisk", "deprecated in v1.11, non-functional in v1.16+"],
  ["gitRepo", "deprecated in v1.11, and disabled by default in v1.33+"],
  ["scaleIO", "deprecated in v1.16, non-functional in v1.22+"],
  ["flocker", "deprecated in v1.22, non-functional in v1.25+"],
  ["storageos", "deprecated in v1.22, non-functional in v1.25+"],
  ["quobyte", "deprecated in v1.22, non-functional in v1.25+"],
  ["glusterfs", "deprecated in v1.25, non-functional in v1.26+"],
  ["cephfs", "deprecated in v1.28, non-functional in v1.31+"],
  ["rbd", "deprecated in v1.28, non-functional in v1.31+"],
];
const containerLists = ["initContainers", "containers", "ephemeralContainers"] as const;
const reportedNames: Readonly<Record<string, string>> = { storageos: "storageOS" };
const noSelector = "a null labelSelector results in matching no pod";

/** Warnings about a pod, or about a pod template at `field`; `field` is empty for a pod. */
export function podWarnings(pod: Decoded<PodTemplateSpec>, field: string): string[] {
  const at = (path: string): string => (field === "" ? path : `${field}.${path}`);
  const { metadata, spec = {} } = pod;
  const warnings: string[] = [];
  const warn: Warn = (place, message) => warnings.push(`${place}: ${message}`);
  for (const label of Object.keys(spec.nodeSelector ?? {}))
    if (Object.hasOwn(nodeLabels, label)) warn(at(`spec.nodeSelector[${label}]`), `${nodeLabels[label]}`);
  warnNodeAffinity(spec, at("spec.affinity.nodeAffinity"), warn);
  for (const [{ topologyKey = "", labelSelector }, place] of entriesAt(spec, "topologySpreadConstraints", at("spec"))) {
    warnLabel(topologyKey, `${place}.topologyKey`, warn);
    if (!labelSelector) warn(`${place}.labelSelector`, noSelector);
  }
  for (const [key, message] of Object.entries(annotations))
    if (metadata?.annotations?.[key] !== undefined) warn(at(`metadata.annotations[${key}]`), message);
  for (const [volume, place] of entriesAt(spec, "volumes", at("spec"))) {
    for (const [source, message] of volumes)
      if (volume[source] !== undefined) warn(`${place}.${reportedNames[source] ?? source}`, message);
    const claim = volume.ephemeral?.volumeClaimTemplate?.spec ?? {};
    warnings.push(...claimWarnings(claim, `${place}.ephemeral.volumeClaimTemplate.spec`));
  }
  for (const volume of spec.volumes ?? []) warnings.push(...pathWarnings(volume));
  warnDuplicates(spec, at("spec"), warn);
  for (const name of ["memory", "ephemeral-storage"]) warnFraction(spec.overhead, name, at("spec.overhead"), warn);
  const warnAnnotation = (key: string, message: string): unknown => warn(at(`metadata.annotations[${key}]`), message);
  warnSeccompAnnotation(pod, undefined, warnAnnotation);
  for (const list of containerLists)
    for (const [container, place] of entriesAt(spec, list, at("spec"))) {
      warnSeccompAnnotation(pod, container, warnAnnotation);
      // Those of a pod were reported when its fields were set.
      if (field !== "") warnAppArmorAnnotation(pod, container, warnAnnotation);
      warnContainer(container, place, warn);
    }
  warnPorts(spec, at("spec"), warn);
  if ((spec.terminationGracePeriodSeconds ?? 0) < 0)
    warn(
      at("spec.terminationGracePeriodSeconds"),
      "must be >= 0; negative values are invalid and will be treated as 1",
    );
  warnAffinity(spec, at("spec"), warn);
  for (const [index, address] of (spec.dnsConfig?.nameservers ?? []).entries())
    warnings.push(...addressWarnings(at(`spec.dnsConfig.nameservers[${index}]`), address));
  for (const [{ ip = "" }, place] of entriesAt(spec, "hostAliases", at("spec")))
    warnings.push(...addressWarnings(`${place}.ip`, ip));
  return warnings;
}

/** An object with a pod template. */
type Workload = Decoded<{ readonly metadata: ObjectMeta; readonly spec: { readonly template: PodTemplateSpec } }>;

/** Warnings about the old template, which kube-apiserver checks for ReplicationControllers. */
export function oldTemplateWarnings(object: Workload, old: Workload | undefined): string[] {
  return templateWarnings(old ? { ...old, metadata: object.metadata ?? {} } : object, old);
}

/** Warnings about the template of a workload, unless an update leaves the spec unchanged. */
export function templateWarnings(object: Workload, old: Workload | undefined): string[] {
  if (old && object.metadata?.generation === old.metadata?.generation) return [];
  return podWarnings(object.spec?.template ?? {}, "spec.template");
}

type Warn = (place: string, message: string) => unknown;

function warnLabel(label: string, place: string, warn: Warn): void {
  if (Object.hasOwn(nodeLabels, label)) warn(place, `${label} is ${nodeLabels[label]}`);
}

function warnDuplicates(spec: Decoded<PodSpec>, field: string, warn: Warn): void {
  const aliases = entriesAt(spec, "hostAliases", field);
  const secrets = entriesAt(spec, "imagePullSecrets", field);
  const warnAll = (values: readonly (readonly [value: string, at: string])[], key: string): void => {
    const seen = new Set<string>();
    for (const [value, at] of values) {
      if (seen.has(value)) warn(`${at}.${key}`, `duplicate ${key} ${JSON.stringify(value)}`);
      seen.add(value);
    }
  };
  warnAll(
    aliases.map(([{ ip = "" }, at]) => [ip, at]),
    "ip",
  );
  warnAll(
    secrets.map(([{ name = "" }, at]) => [name, at]),
    "name",
  );
  for (const [{ name }, at] of secrets) if (!name) warn(`${at}.name`, 'invalid empty name ""');
}

/** Warnings about the storage request of a PersistentVolumeClaim spec at `field`. */
export function claimWarnings({ resources }: Decoded<PersistentVolumeClaimSpec>, field: string): string[] {
  const warnings: string[] = [];
  for (const kind of ["requests", "limits"] as const)
    warnFraction(resources?.[kind], "storage", `${field}.resources.${kind}`, (place, message) =>
      warnings.push(`${place}: ${message}`),
    );
  return warnings;
}

/** A warning about fractional bytes. */
function warnFraction(
  quantities: Readonly<Record<string, string | number>> | undefined,
  name: string,
  field: string,
  warn: Warn,
): void {
  const quantity = quantities?.[name];
  if (quantity !== undefined && quantityOf(quantity).toMilliUnits() % 1000n !== 0n)
    warn(`${field}[${name}]`, `fractional byte value ${JSON.stringify(quantity)} is invalid, must be an integer`);
}

function warnNodeAffinity({ affinity }: Decoded<PodSpec>, field: string, warn: Warn): void {
  const { nodeAffinity: node = {} } = affinity ?? {};
  const required = node.requiredDuringSchedulingIgnoredDuringExecution ?? {};
  const at = `${field}.requiredDuringSchedulingIgnoredDuringExecution`;
  for (const [term, place] of entriesAt(required, "nodeSelectorTerms", at)) warnTerm(term, place, false, warn);
  for (const [{ preference = {} }, place] of entriesAt(node, "preferredDuringSchedulingIgnoredDuringExecution", field))
    warnTerm(preference, `${place}.preference`, true, warn);
}

function warnTerm(term: Decoded<NodeSelectorTerm>, field: string, hasAnyValues: boolean, warn: Warn): void {
  for (const [{ key = "", values = [] }, place] of entriesAt(term, "matchExpressions", field)) {
    warnLabel(key, `${place}.key`, warn);
    if (!hasAnyValues) continue;
    for (const [index, value] of values.entries())
      for (const detail of labelValue(value)) warn(`${place}.values[${index}]`, `${value} is invalid, ${detail}`);
  }
}

function warnContainer(container: Decoded<Container>, field: string, warn: Warn): void {
  for (const name of ["memory", "ephemeral-storage"])
    for (const kind of ["limits", "requests"] as const)
      warnFraction(container.resources?.[kind], name, `${field}.resources.${kind}`, warn);
  const seen = new Set<string>();
  for (const [{ name = "", value = "", valueFrom }, place] of entriesAt(container, "env", field)) {
    const reference = `$(${name})`;
    // A value that references the previous definition does not hide it.
    const referencesPrevious = !valueFrom && value !== reference && value.includes(reference);
    if (seen.has(name) && !referencesPrevious)
      warn(place, `hides previous definition of ${JSON.stringify(name)}, which may be dropped when using apply`);
    seen.add(name);
  }
}

function warnPorts(spec: Decoded<PodSpec>, field: string, warn: Warn): void {
  const known = new Map<string, { readonly place: string; readonly port: Decoded<ContainerPort> }[]>();
  const names = new Map<string, string>();
  const named: [string, string][] = [];
  for (const list of containerLists)
    for (const [container, at] of entriesAt(spec, list, field))
      for (const [port, place] of entriesAt(container, "ports", at)) {
        const { name, containerPort = 0, protocol = "", hostIP, hostPort } = port;
        const id = `${containerPort}/${protocol}`;
        const others = known.get(id) ?? [];
        if (hostIP && !hostPort) warn(place, `hostIP set without hostPort: ${goPort(port)}`);
        for (const other of others) {
          const kind = overlap(port, other.port);
          if (kind !== undefined) warn(place, `${kind} port definition with ${other.place}`);
        }
        known.set(id, [...others, { place, port }]);
        if (!name) continue;
        const first = names.get(name);
        if (first === undefined) names.set(name, place);
        else
          named.push([
            place,
            `duplicate port name ${JSON.stringify(name)} with ${first}, services and probes that select ports by name will use ${first}`,
          ]);
      }
  for (const [place, message] of named) warn(place, message);
}

/** A port, as kube-apiserver's warning prints it. */
function goPort(port: Decoded<ContainerPort>): string {
  const { name = "", containerPort = 0, protocol = "", hostIP = "" } = port;
  return `{Name:${name} HostPort:0 ContainerPort:${containerPort} Protocol:${protocol} HostIP:${hostIP}}`;
}

function overlap(port: Decoded<ContainerPort>, other: Decoded<ContainerPort>): string | undefined {
  const { hostIP = "", hostPort = 0 } = port;
  const { hostIP: otherIP = "", hostPort: otherPort = 0 } = other;
  if (hostIP === otherIP && hostPort === otherPort) return "duplicate";
  if (hostPort === 0 || otherPort === 0) return "overlapping";
  return hostPort === otherPort && (hostIP === "") !== (otherIP === "") ? "dangerously ambiguous" : undefined;
}

function warnAffinity(spec: Decoded<PodSpec>, field: string, warn: Warn): void {
  for (const kind of ["podAffinity", "podAntiAffinity"] as const) {
    const affinity = spec.affinity?.[kind] ?? {};
    const at = `${field}.affinity.${kind}`;
    for (const [term, place] of entriesAt(affinity, "requiredDuringSchedulingIgnoredDuringExecution", at))
      if (!term.labelSelector) warn(`${place}.labelSelector`, noSelector);
    for (const [term, place] of entriesAt(affinity, "preferredDuringSchedulingIgnoredDuringExecution", at))
      if (!term.podAffinityTerm?.labelSelector) warn(`${place}.podAffinityTerm.labelSelector`, noSelector);
  }
}
