import { forbidden } from "@kubewright/core/schema";
import type { Service, ServiceSpec } from "kubewright/k8s/core/v1";
import { ageColumn, nameColumn } from "../../../columns.js";
import type { Decoded, Drafted } from "../../../decoded.js";
import { childDraft, drop } from "../../../draft.js";
import { labelName } from "../../../name-rules.js";
import type { Strategy } from "../../../strategy.js";
import { addressWarnings, cidrWarnings, type Errors, entriesAt, printLabels } from "../../../validation/index.js";
import { keepOtherPart } from "../../spec-and-status.js";
import { checkService, isExternallyAccessible } from "./check-service.js";
import { checkLoadBalancerStatus, loadBalancerWarnings, printLoadBalancerStatus } from "./load-balancer-status.js";
import { allocateChanged, allocateNew, dropTypeDependentFields } from "./service-addresses.js";

const hints = "service.kubernetes.io/topology-aware-hints";

/** Service. */
export const serviceStrategy: Strategy<Service> = {
  nameRule: labelName,
  allowUnconditionalUpdate: true,
  allowCreateOnUpdate: true,
  applyDefaults(draft) {
    defaultSpec(childDraft(draft, "spec"));
    for (const entry of childDraft(childDraft(draft, "status"), "loadBalancer").ingress ?? [])
      if (entry.ip) entry.ipMode ||= "VIP";
  },
  prepareForCreate(draft, { subresource, store, dryRun }) {
    if (subresource !== "status") allocateNew(draft, store, dryRun);
    draft.status = {};
  },
  prepareForUpdate(draft, old, context) {
    keepOtherPart(draft, old, context);
    const { subresource, store, dryRun } = context;
    if (subresource !== "") return;
    allocateChanged(draft, old, store, dryRun);
    dropTypeDependentFields(draft, old);
  },
  canonicalize(draft) {
    // An ExternalName Service is stored without internalTrafficPolicy; an invalid value stays, so that validation rejects it.
    if (draft.spec?.type !== "ExternalName") return;
    const { internalTrafficPolicy = "", ...spec } = draft.spec;
    if (["Cluster", "Local"].includes(internalTrafficPolicy)) draft.spec = spec;
  },
  validate(object, old, { subresource }) {
    if (subresource !== "status") return checkService(object, old);
    const errors: Errors = [];
    const balancer = object.status?.loadBalancer ?? {};
    if (object.spec?.type === "LoadBalancer") checkLoadBalancerStatus(balancer, errors);
    else if (balancer.ingress?.length)
      errors.push(forbidden("status.loadBalancer.ingress", "may only be used when `spec.type` is 'LoadBalancer'"));
    return errors;
  },
  warn: serviceWarnings,
  warnStatus: loadBalancerWarnings,
  selectableFields: {
    "spec.clusterIP": ({ spec }) => spec?.clusterIP ?? "",
    "spec.type": ({ spec }) => spec?.type ?? "",
  },
  deletion: {
    returnsObject: true,
  },
  table: {
    columns: [
      nameColumn,
      { name: "Type", type: "string", cell: ({ spec }) => spec?.type ?? "" },
      { name: "Cluster-IP", type: "string", cell: ({ spec }) => spec?.clusterIPs?.[0] ?? "<none>" },
      { name: "External-IP", type: "string", cell: externalAddresses },
      { name: "Port(s)", type: "string", cell: printPorts },
      ageColumn,
      {
        name: "Selector",
        type: "string",
        priority: 1,
        cell: ({ spec }) => printLabels(spec?.selector ?? {}),
      },
    ],
  },
};

function defaultSpec(spec: Drafted<ServiceSpec>): void {
  spec.sessionAffinity ||= "None";
  if (spec.sessionAffinity === "None") drop(spec, "sessionAffinityConfig");
  if (spec.sessionAffinity === "ClientIP")
    childDraft(childDraft(spec, "sessionAffinityConfig"), "clientIP").timeoutSeconds ??= 10_800;
  spec.type ||= "ClusterIP";
  for (const port of spec.ports ?? []) {
    port.protocol ||= "TCP";
    port.targetPort ||= port.port ?? 0;
  }
  if (isExternallyAccessible(spec)) spec.externalTrafficPolicy ||= "Cluster";
  if (spec.type === "NodePort" || spec.type === "LoadBalancer" || spec.type === "ClusterIP")
    spec.internalTrafficPolicy ||= "Cluster";
  if (spec.type === "LoadBalancer") spec.allocateLoadBalancerNodePorts ??= true;
}

function serviceWarnings({ metadata, spec = {} }: Decoded<Service>): string[] {
  const { type, loadBalancerIP = "" } = spec;
  const isHeadless = type === "ClusterIP" && spec.clusterIP === "None";
  const hasExternal = (spec.externalIPs?.length ?? 0) > 0;
  const warningsAt = (key: "clusterIPs" | "externalIPs"): string[] =>
    entriesAt(spec, key, "spec").flatMap(([address, at]) => addressWarnings(at, address));
  const warnings: string[] = [];
  if (metadata?.annotations?.[hints] !== undefined)
    warnings.push(`annotation ${hints} is deprecated, please use service.kubernetes.io/topology-mode instead`);
  warnings.push(...warningsAt("clusterIPs"));
  if (isHeadless) {
    if (loadBalancerIP !== "") warnings.push("spec.loadBalancerIP is ignored for headless services");
    if (hasExternal) warnings.push("spec.externalIPs is ignored for headless services");
    if (spec.sessionAffinity !== "None") warnings.push("spec.SessionAffinity is ignored for headless services");
  }
  warnings.push(...warningsAt("externalIPs"));
  if (hasExternal && !isHeadless && type !== "ExternalName")
    warnings.push("spec.externalIPs is deprecated and may no longer be implemented in some clusters");
  warnings.push(...addressWarnings("spec.loadBalancerIP", loadBalancerIP));
  for (const [range, at] of entriesAt(spec, "loadBalancerSourceRanges", "spec"))
    warnings.push(...cidrWarnings(at, range));
  if (hasExternal && type === "ExternalName")
    warnings.push('spec.externalIPs is ignored when spec.type is "ExternalName"');
  if (type !== "ExternalName" && spec.externalName)
    warnings.push('spec.externalName is ignored when spec.type is not "ExternalName"');
  if (spec.trafficDistribution === "PreferClose")
    warnings.push('spec.trafficDistribution: "PreferClose" is deprecated; use "PreferSameZone"');
  return warnings;
}

function externalAddresses({ spec = {}, status }: Decoded<Service>): string {
  const external = spec.externalIPs ?? [];
  switch (spec.type) {
    case "ClusterIP":
    case "NodePort":
      return external.join(",") || "<none>";
    case "LoadBalancer": {
      const balanced = printLoadBalancerStatus(status?.loadBalancer);
      return [balanced, ...external].filter((one) => one !== "").join(",") || "<pending>";
    }
    case "ExternalName":
      return spec.externalName ?? "";
    default:
      return "<unknown>";
  }
}

function printPorts({ spec }: Decoded<Service>): string {
  const printed = spec?.ports?.map(
    ({ port = 0, nodePort, protocol = "" }) => `${port}${nodePort ? `:${nodePort}` : ""}/${protocol}`,
  );
  return printed?.join(",") || "<none>";
}
