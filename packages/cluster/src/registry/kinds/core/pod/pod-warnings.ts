import type { JsonObject } from "@kubewright/core/json";
import { metadataOf, numberAt, objectAt, optionalNumber, partAt, textAt, textsAt } from "../../../draft.js";
import { labelValue } from "../../../name-rules.js";
import { addressWarnings, entriesAt, quantityOf } from "../../../validation/index.js";
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
const volumes: Readonly<Record<string, string>> = {
  photonPersistentDisk: "deprecated in v1.11, non-functional in v1.16+",
  gitRepo: "deprecated in v1.11, and disabled by default in v1.33+",
  scaleIO: "deprecated in v1.16, non-functional in v1.22+",
  flocker: "deprecated in v1.22, non-functional in v1.25+",
  storageos: "deprecated in v1.22, non-functional in v1.25+",
  quobyte: "deprecated in v1.22, non-functional in v1.25+",
  glusterfs: "deprecated in v1.25, non-functional in v1.26+",
  cephfs: "deprecated in v1.28, non-functional in v1.31+",
  rbd: "deprecated in v1.28, non-functional in v1.31+",
};
const containerLists = ["initContainers", "containers", "ephemeralContainers"];
const misspelt: Readonly<Record<string, string>> = { storageos: "storageOS" };
const noSelector = "a null labelSelector results in matching no pod";

/** Warnings about a pod, or about a pod template at `field`; `field` is empty for a pod. */
export function podWarnings(pod: JsonObject, field: string): string[] {
  const at = (path: string): string => (field === "" ? path : `${field}.${path}`);
  const spec = objectAt(pod, "spec");
  const warnings: string[] = [];
  const warn = (place: string, text: string): void => void warnings.push(`${place}: ${text}`);
  for (const label of Object.keys(objectAt(spec, "nodeSelector"))) {
    const text = Object.hasOwn(nodeLabels, label) ? nodeLabels[label] : undefined;
    if (text !== undefined) warn(at(`spec.nodeSelector[${label}]`), text);
  }
  warnNodeAffinity(spec, at("spec.affinity.nodeAffinity"), warn);
  for (const [constraint, place] of entriesAt(spec, "topologySpreadConstraints", at("spec"))) {
    const key = textAt(constraint, "topologyKey");
    if (Object.hasOwn(nodeLabels, key)) warn(`${place}.topologyKey`, `${key} is ${nodeLabels[key]}`);
    if (partAt(constraint, "labelSelector") === undefined) warn(`${place}.labelSelector`, noSelector);
  }
  for (const [key, text] of Object.entries(annotations))
    if (objectAt(metadataOf(pod), "annotations")[key] !== undefined) warn(at(`metadata.annotations[${key}]`), text);
  for (const [volume, place] of entriesAt(spec, "volumes", at("spec"))) {
    for (const [kind, text] of Object.entries(volumes))
      if (partAt(volume, kind) !== undefined) warn(`${place}.${misspelt[kind] ?? kind}`, text);
    const claim = partAt(partAt(volume, "ephemeral") ?? {}, "volumeClaimTemplate");
    if (claim === undefined) continue;
    warnings.push(...claimWarnings(objectAt(claim, "spec"), `${place}.ephemeral.volumeClaimTemplate.spec`));
  }
  for (const [volume] of entriesAt(spec, "volumes", "")) warnings.push(...pathWarnings(volume));
  warnRepeated(spec, at("spec"), warn);
  for (const name of ["memory", "ephemeral-storage"])
    warnFraction(objectAt(spec, "overhead"), name, at("spec.overhead"), warn);
  for (const list of containerLists)
    for (const [container, place] of entriesAt(spec, list, at("spec"))) warnContainer(container, place, warn);
  warnPorts(spec, at("spec"), warn);
  const grace = optionalNumber(spec, "terminationGracePeriodSeconds");
  if (grace !== undefined && grace < 0)
    warn(
      at("spec.terminationGracePeriodSeconds"),
      "must be >= 0; negative values are invalid and will be treated as 1",
    );
  warnAffinity(spec, at("spec"), warn);
  for (const [index, address] of textsAt(objectAt(spec, "dnsConfig"), "nameservers").entries())
    warnings.push(...addressWarnings(at(`spec.dnsConfig.nameservers[${index}]`), address));
  for (const [alias, place] of entriesAt(spec, "hostAliases", at("spec")))
    warnings.push(...addressWarnings(`${place}.ip`, textAt(alias, "ip")));
  return warnings;
}

/** Warnings about the old template: kube-apiserver looks at it for ReplicationControllers. */
export function oldTemplateWarnings(object: JsonObject, old: JsonObject | undefined): string[] {
  if (!old) return templateWarnings(object, old);
  return templateWarnings({ ...old, metadata: metadataOf(object) }, old);
}

/** Warnings about the template of a workload, unless an update leaves the spec unchanged. */
export function templateWarnings(object: JsonObject, old: JsonObject | undefined): string[] {
  if (old && metadataOf(object)["generation"] === metadataOf(old)["generation"]) return [];
  return podWarnings(objectAt(objectAt(object, "spec"), "template"), "spec.template");
}

type Warn = (place: string, text: string) => unknown;

function warnRepeated(spec: JsonObject, field: string, warn: Warn): void {
  for (const [list, key, word] of [
    ["hostAliases", "ip", "ip"],
    ["imagePullSecrets", "name", "name"],
  ] as const) {
    const seen = new Set<string>();
    for (const [item, place] of entriesAt(spec, list, field)) {
      const value = textAt(item, key);
      if (seen.has(value)) warn(`${place}.${key}`, `duplicate ${word} ${JSON.stringify(value)}`);
      seen.add(value);
    }
  }
  for (const [item, place] of entriesAt(spec, "imagePullSecrets", field))
    if (textAt(item, "name") === "") warn(`${place}.name`, 'invalid empty name ""');
}

/** Warnings about the storage request of a PersistentVolumeClaim spec at `field`. */
export function claimWarnings(spec: JsonObject, field: string): string[] {
  const warnings: string[] = [];
  for (const kind of ["requests", "limits"])
    warnFraction(objectAt(objectAt(spec, "resources"), kind), "storage", `${field}.resources.${kind}`, (place, text) =>
      warnings.push(`${place}: ${text}`),
    );
  return warnings;
}

/** A warning about fractional bytes. */
function warnFraction(amounts: JsonObject, name: string, field: string, warn: Warn): void {
  const amount = amounts[name];
  if (amount !== undefined && quantityOf(amount).toMilliUnits() % 1000n !== 0n)
    warn(`${field}[${name}]`, `fractional byte value ${JSON.stringify(amount)} is invalid, must be an integer`);
}

function warnNodeAffinity(spec: JsonObject, field: string, warn: Warn): void {
  const affinity = objectAt(objectAt(spec, "affinity"), "nodeAffinity");
  const required = objectAt(affinity, "requiredDuringSchedulingIgnoredDuringExecution");
  const at = `${field}.requiredDuringSchedulingIgnoredDuringExecution`;
  for (const [term, place] of entriesAt(required, "nodeSelectorTerms", at)) warnTerm(term, place, false, warn);
  for (const [term, place] of entriesAt(affinity, "preferredDuringSchedulingIgnoredDuringExecution", field))
    warnTerm(objectAt(term, "preference"), `${place}.preference`, true, warn);
}

function warnTerm(term: JsonObject, field: string, hasAnyValues: boolean, warn: Warn): void {
  for (const [expression, place] of entriesAt(term, "matchExpressions", field)) {
    const key = textAt(expression, "key");
    if (Object.hasOwn(nodeLabels, key)) warn(`${place}.key`, `${key} is ${nodeLabels[key]}`);
    if (!hasAnyValues) continue;
    for (const [index, value] of textsAt(expression, "values").entries())
      for (const detail of labelValue(value)) warn(`${place}.values[${index}]`, `${value} is invalid, ${detail}`);
  }
}

function warnContainer(container: JsonObject, field: string, warn: Warn): void {
  const resources = objectAt(container, "resources");
  for (const name of ["memory", "ephemeral-storage"])
    for (const kind of ["limits", "requests"])
      warnFraction(objectAt(resources, kind), name, `${field}.resources.${kind}`, warn);
  const seen = new Set<string>();
  for (const [variable, place] of entriesAt(container, "env", field)) {
    const name = textAt(variable, "name");
    const value = textAt(variable, "value");
    const reference = `$(${name})`;
    // A value that refers to the previous one does not hide it.
    const buildsOn = partAt(variable, "valueFrom") === undefined && value !== reference && value.includes(reference);
    if (seen.has(name) && !buildsOn)
      warn(place, `hides previous definition of ${JSON.stringify(name)}, which may be dropped when using apply`);
    seen.add(name);
  }
}

function warnPorts(spec: JsonObject, field: string, warn: Warn): void {
  const known = new Map<string, { readonly place: string; readonly port: JsonObject }[]>();
  const names = new Map<string, string>();
  const named: [string, string][] = [];
  for (const list of containerLists)
    for (const [container, at] of entriesAt(spec, list, field))
      for (const [port, place] of entriesAt(container, "ports", at)) {
        const id = `${numberAt(port, "containerPort")}/${textAt(port, "protocol")}`;
        const others = known.get(id) ?? [];
        if (textAt(port, "hostIP") !== "" && numberAt(port, "hostPort") === 0)
          warn(place, `hostIP set without hostPort: ${goPort(port)}`);
        for (const other of others) {
          const text = overlap(port, other.port);
          if (text !== undefined) warn(place, `${text} port definition with ${other.place}`);
        }
        known.set(id, [...others, { place, port }]);
        const name = textAt(port, "name");
        const first = names.get(name);
        if (name === "") continue;
        if (first === undefined) names.set(name, place);
        else
          named.push([
            place,
            `duplicate port name ${JSON.stringify(name)} with ${first}, services and probes that select ports by name will use ${first}`,
          ]);
      }
  for (const [place, text] of named) warn(place, text);
}

/** A port, as kube-apiserver's warning prints it. */
function goPort(port: JsonObject): string {
  const [name, protocol, ip] = [textAt(port, "name"), textAt(port, "protocol"), textAt(port, "hostIP")];
  return `{Name:${name} HostPort:0 ContainerPort:${numberAt(port, "containerPort")} Protocol:${protocol} HostIP:${ip}}`;
}

function overlap(port: JsonObject, other: JsonObject): string | undefined {
  const [ip, otherIp] = [textAt(port, "hostIP"), textAt(other, "hostIP")];
  const [host, otherHost] = [numberAt(port, "hostPort"), numberAt(other, "hostPort")];
  if (ip === otherIp && host === otherHost) return "duplicate";
  if (host === 0 || otherHost === 0) return "overlapping";
  return host === otherHost && (ip === "") !== (otherIp === "") ? "dangerously ambiguous" : undefined;
}

function warnAffinity(spec: JsonObject, field: string, warn: Warn): void {
  for (const kind of ["podAffinity", "podAntiAffinity"]) {
    const affinity = objectAt(objectAt(spec, "affinity"), kind);
    const at = `${field}.affinity.${kind}`;
    for (const [term, place] of entriesAt(affinity, "requiredDuringSchedulingIgnoredDuringExecution", at))
      if (partAt(term, "labelSelector") === undefined) warn(`${place}.labelSelector`, noSelector);
    for (const [term, place] of entriesAt(affinity, "preferredDuringSchedulingIgnoredDuringExecution", at))
      if (partAt(objectAt(term, "podAffinityTerm"), "labelSelector") === undefined)
        warn(`${place}.podAffinityTerm.labelSelector`, noSelector);
  }
}
