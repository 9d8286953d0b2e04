import { isJsonObject, type JsonObject } from "@kubewright/core/json";
import { forbidden } from "@kubewright/core/schema";
import { ageColumn, nameColumn } from "../../../columns.js";
import {
  childDraft,
  type Draft,
  draftsIn,
  listAt,
  metadataOf,
  numberAt,
  objectAt,
  setDefault,
  setMissing,
  textAt,
  textsAt,
} from "../../../draft.js";
import { labelName } from "../../../name-rules.js";
import type { Strategy } from "../../../strategy.js";
import {
  addressWarnings,
  type Errors,
  entryPointWarnings,
  printLabels,
  rangeWarnings,
} from "../../../validation/index.js";
import { keepOtherPart } from "../../spec-and-status.js";
import { checkEntryPoints, checkService } from "./check-service.js";
import { allocateChanged, allocateNew, dropUnneeded, isReachable } from "./service-addresses.js";

const hints = "service.kubernetes.io/topology-aware-hints";
/** The longest list of addresses in a table. */
const balancerWidth = 16;

/** Service. */
export const serviceStrategy: Strategy = {
  nameRule: labelName,
  allowUnconditionalUpdate: true,
  allowCreateOnUpdate: true,
  applyDefaults(draft) {
    defaultSpec(childDraft(draft, "spec"));
    for (const entry of draftsIn(childDraft(childDraft(draft, "status"), "loadBalancer")["ingress"]))
      if (textAt(entry, "ip") !== "") setDefault(entry, "ipMode", "VIP");
  },
  prepareForCreate(draft, { subresource, store, dryRun }) {
    if (subresource !== "status") allocateNew(draft, store, dryRun);
    draft["status"] = {};
  },
  prepareForUpdate(draft, old, context) {
    keepOtherPart(draft, old, context);
    const { subresource, store, dryRun } = context;
    if (subresource !== "") return;
    allocateChanged(draft, old, store, dryRun);
    dropUnneeded(draft, old);
  },
  canonicalize(draft) {
    // An ExternalName Service is stored without internalTrafficPolicy.
    const spec = objectAt(draft, "spec");
    if (
      textAt(spec, "type") !== "ExternalName" ||
      !["Cluster", "Local"].includes(textAt(spec, "internalTrafficPolicy"))
    )
      return;
    const { internalTrafficPolicy: _, ...rest } = spec as Draft;
    draft["spec"] = rest;
  },
  validate(object, old, { subresource }) {
    if (subresource !== "status") return checkService(object, old);
    const errors: Errors = [];
    const balancer = objectAt(objectAt(object, "status"), "loadBalancer");
    const field = "status.loadBalancer";
    if (textAt(objectAt(object, "spec"), "type") === "LoadBalancer") checkEntryPoints(balancer, field, errors);
    else if (listAt(balancer, "ingress").length > 0)
      errors.push(forbidden(`${field}.ingress`, "may only be used when `spec.type` is 'LoadBalancer'"));
    return errors;
  },
  warn: serviceWarnings,
  warnStatus: entryPointWarnings,
  selectableFields: {
    "spec.clusterIP": (object) => textAt(objectAt(object, "spec"), "clusterIP"),
    "spec.type": (object) => textAt(objectAt(object, "spec"), "type"),
  },
  deletion: {
    returnsObject: true,
  },
  table: {
    columns: [
      nameColumn,
      { name: "Type", type: "string", cell: (object) => textAt(objectAt(object, "spec"), "type") },
      {
        name: "Cluster-IP",
        type: "string",
        cell: (object) => textsAt(objectAt(object, "spec"), "clusterIPs")[0] ?? "<none>",
      },
      { name: "External-IP", type: "string", cell: externalAddresses },
      { name: "Port(s)", type: "string", cell: printPorts },
      ageColumn,
      {
        name: "Selector",
        type: "string",
        priority: 1,
        cell: (object) => printLabels(objectAt(objectAt(object, "spec"), "selector")),
      },
    ],
  },
};

function defaultSpec(spec: Draft): void {
  setDefault(spec, "sessionAffinity", "None");
  if (spec["sessionAffinity"] === "None") delete spec["sessionAffinityConfig"];
  if (spec["sessionAffinity"] === "ClientIP") {
    const client = childDraft(childDraft(spec, "sessionAffinityConfig"), "clientIP");
    setMissing(client, "timeoutSeconds", 10_800);
  }
  setDefault(spec, "type", "ClusterIP");
  for (const port of draftsIn(spec["ports"])) {
    setDefault(port, "protocol", "TCP");
    if (port["targetPort"] === undefined || port["targetPort"] === 0 || port["targetPort"] === "")
      port["targetPort"] = numberAt(port, "port");
  }
  if (isReachable(spec)) setDefault(spec, "externalTrafficPolicy", "Cluster");
  if (["NodePort", "LoadBalancer", "ClusterIP"].includes(textAt(spec, "type")))
    setDefault(spec, "internalTrafficPolicy", "Cluster");
  if (spec["type"] === "LoadBalancer") setMissing(spec, "allocateLoadBalancerNodePorts", true);
}

function serviceWarnings(object: JsonObject): string[] {
  const spec = objectAt(object, "spec");
  const type = textAt(spec, "type");
  const isHeadless = type === "ClusterIP" && textAt(spec, "clusterIP") === "None";
  const hasExternal = listAt(spec, "externalIPs").length > 0;
  const warnings: string[] = [];
  if (Object.hasOwn(objectAt(metadataOf(object), "annotations"), hints))
    warnings.push(`annotation ${hints} is deprecated, please use service.kubernetes.io/topology-mode instead`);
  const addresses = (key: string): string[] =>
    textsAt(spec, key).flatMap((address, index) => addressWarnings(`spec.${key}[${index}]`, address));
  warnings.push(...addresses("clusterIPs"));
  if (isHeadless) {
    if (textAt(spec, "loadBalancerIP") !== "") warnings.push("spec.loadBalancerIP is ignored for headless services");
    if (hasExternal) warnings.push("spec.externalIPs is ignored for headless services");
    if (textAt(spec, "sessionAffinity") !== "None")
      warnings.push("spec.SessionAffinity is ignored for headless services");
  }
  warnings.push(...addresses("externalIPs"));
  if (hasExternal && !isHeadless && type !== "ExternalName")
    warnings.push("spec.externalIPs is deprecated and may no longer be implemented in some clusters");
  warnings.push(...addressWarnings("spec.loadBalancerIP", textAt(spec, "loadBalancerIP")));
  for (const [index, range] of textsAt(spec, "loadBalancerSourceRanges").entries())
    warnings.push(...rangeWarnings(`spec.loadBalancerSourceRanges[${index}]`, range));
  if (hasExternal && type === "ExternalName")
    warnings.push('spec.externalIPs is ignored when spec.type is "ExternalName"');
  if (type !== "ExternalName" && textAt(spec, "externalName") !== "")
    warnings.push('spec.externalName is ignored when spec.type is not "ExternalName"');
  if (textAt(spec, "trafficDistribution") === "PreferClose")
    warnings.push('spec.trafficDistribution: "PreferClose" is deprecated; use "PreferSameZone"');
  return warnings;
}

function externalAddresses(object: JsonObject): string {
  const spec = objectAt(object, "spec");
  const external = textsAt(spec, "externalIPs");
  switch (textAt(spec, "type")) {
    case "ClusterIP":
    case "NodePort":
      return external.join(",") || "<none>";
    case "LoadBalancer":
      return [printEntryPoints(object), ...external].filter((one) => one !== "").join(",") || "<pending>";
    case "ExternalName":
      return textAt(spec, "externalName");
    default:
      return "<unknown>";
  }
}

/** The addresses of a load balancer, as tables print them. */
export function printEntryPoints(object: JsonObject): string {
  const entries = listAt(objectAt(objectAt(object, "status"), "loadBalancer"), "ingress");
  const names = entries.map((entry) => (isJsonObject(entry) ? textAt(entry, "ip") || textAt(entry, "hostname") : ""));
  const printed = [...new Set(names.filter((name) => name !== ""))].sort().join(",");
  return printed.length > balancerWidth ? `${printed.slice(0, balancerWidth - 3)}...` : printed;
}

function printPorts(object: JsonObject): string {
  const printed = listAt(objectAt(object, "spec"), "ports").map((port) => {
    if (!isJsonObject(port)) return "";
    const node = numberAt(port, "nodePort");
    return `${numberAt(port, "port")}${node > 0 ? `:${node}` : ""}/${textAt(port, "protocol")}`;
  });
  return printed.join(",") || "<none>";
}
