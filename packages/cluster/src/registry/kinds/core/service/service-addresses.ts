import { deepEqual, goQuote } from "@kubewright/core/json";
import { type FieldError, invalid as invalidField } from "@kubewright/core/schema";
import type { Service, ServiceSpec } from "kubewright/k8s/core/v1";
import type { Store } from "../../../../storage/index.js";
import { internalError, invalid } from "../../../api-failure.js";
import type { Decoded, Drafted } from "../../../decoded.js";
import { childDraft, drop } from "../../../draft.js";
import { pathSegmentName } from "../../../name-rules.js";
import { isIPv6Address, parseAddress } from "../../../validation/index.js";
import { checkClusterIPs, isExternallyAccessible, isHeadless, needsHealthCheck } from "./check-service.js";
import {
  allocateChangedPorts,
  allocateNewPorts,
  hasNodePorts,
  keepPorts,
  nodePortsOf,
  storedServiceSpecs,
} from "./service-ports.js";

/** The default ServiceCIDR of the cluster. */
export const defaultServiceCidr = "10.0.0.0/24";
const subject = { group: "", kind: "Service" };
const base = 10 * 2 ** 24;
const lastOffset = 255;
/** Addresses below this offset are reserved for static allocation. */
const firstFreeOffset = 16;

/** Allocates the ClusterIPs and node ports of a new Service; requested ones must be free. The stored Services record the allocations. */
export function allocateNew(draft: Drafted<Service>, store: Store, dryRun: boolean): void {
  const spec = childDraft(draft, "spec");
  if (spec.clusterIP && !spec.clusterIPs?.length) spec.clusterIPs = [spec.clusterIP];
  applyIPFamilyDefaults(draft);
  allocateAddress(draft, store, dryRun);
  allocateNewPorts(draft, store, dryRun);
}

/** Allocates for an updated Service, which keeps its ClusterIPs and node ports unless it requests others. */
export function allocateChanged(draft: Drafted<Service>, old: Decoded<Service>, store: Store, dryRun: boolean): void {
  const spec = childDraft(draft, "spec");
  const before = old.spec ?? {};
  keepAllocated(spec, before);
  syncClusterIPs(spec, before);
  applyIPFamilyDefaults(draft, before);
  if (before.type === "ExternalName") allocateAddress(draft, store, dryRun);
  allocateChangedPorts(draft, old, store, dryRun);
}

/** Restores allocated fields that the client omitted. */
function keepAllocated(spec: Drafted<ServiceSpec>, before: Decoded<ServiceSpec>): void {
  if (spec.type !== "ExternalName" && before.type !== "ExternalName") {
    if (before.clusterIP) spec.clusterIP ||= before.clusterIP;
    if (before.clusterIPs?.length && !spec.clusterIPs?.length) spec.clusterIPs = [...before.clusterIPs];
  }
  keepPorts(spec, before);
}

/** Sets clusterIPs from clusterIP if only clusterIP changed. */
function syncClusterIPs(spec: Drafted<ServiceSpec>, before: Decoded<ServiceSpec>): void {
  const { clusterIP = "", clusterIPs = [] } = spec;
  if (clusterIP === (before.clusterIP ?? "") || !deepEqual(clusterIPs, before.clusterIPs ?? [])) return;
  if (clusterIP === "") drop(spec, "clusterIPs");
  else spec.clusterIPs = [clusterIP];
}

function rejectIfInvalid(draft: Drafted<Service>, errors: readonly FieldError[]): void {
  if (errors.length > 0) throw invalid(subject, draft.metadata?.name ?? "", errors);
}

/** Defaults and validates the IP families of a Service in an IPv4 single-stack cluster. */
function applyIPFamilyDefaults(draft: Drafted<Service>, before?: Decoded<ServiceSpec>): void {
  const spec = childDraft(draft, "spec");
  if (spec.type === "ExternalName" || (before && keepsPreference(spec, before))) return;
  const isBare = spec.clusterIP === "None" && Object.keys(spec.selector ?? {}).length === 0;
  spec.ipFamilyPolicy ||= before?.ipFamilyPolicy || (isBare ? "RequireDualStack" : "SingleStack");
  const policy = spec.ipFamilyPolicy;
  rejectIfInvalid(draft, checkClusterIPs(spec));
  const errors = before ? releaseSecondary(spec, before) : [];
  const { clusterIPs: addresses = [], ipFamilies: families = [] } = spec;
  if (policy === "SingleStack")
    for (const [key, label] of [
      ["clusterIPs", "cluster IPs"],
      ["ipFamilies", "IP families"],
    ] as const)
      if (spec[key]?.length === 2)
        errors.push(
          invalidField(
            "spec.ipFamilyPolicy",
            policy,
            `must be 'RequireDualStack' or 'PreferDualStack' when multiple ${label} are specified`,
          ),
        );
  for (const [index, address] of addresses.entries()) {
    if (address === "None") break;
    if (index < families.length) continue;
    if (isIPv6Address(address))
      errors.push(invalidField(`spec.clusterIPs[${index}]`, addresses, "IPv6 is not configured on this cluster"));
    else families.push("IPv4");
  }
  rejectIfInvalid(draft, errors);
  if (isBare) {
    if (families.length === 0) families.push("IPv4");
    if (families.length < 2 && policy !== "SingleStack") families.push(families[0] === "IPv4" ? "IPv6" : "IPv4");
  } else {
    if (policy === "RequireDualStack")
      errors.push(
        invalidField("spec.ipFamilyPolicy", policy, "this cluster is not configured for dual-stack services"),
      );
    for (const [index, family] of families.entries())
      if (family !== "IPv4")
        errors.push(invalidField(`spec.ipFamilies[${index}]`, family, "not configured on this cluster"));
    rejectIfInvalid(draft, errors);
    if (families.length === 0) families.push("IPv4");
  }
  spec.ipFamilies = families;
}

/** SingleStack drops the secondary IP family; nothing else may. */
function releaseSecondary(spec: Drafted<ServiceSpec>, before: Decoded<ServiceSpec>): FieldError[] {
  const policy = spec.ipFamilyPolicy ?? "";
  const errors: FieldError[] = [];
  for (const [key, label] of [
    ["clusterIPs", "cluster IP"],
    ["ipFamilies", "IP family"],
  ] as const) {
    const [now, earlier] = [spec[key] ?? [], before[key] ?? []];
    if (policy === "SingleStack") {
      if (now.length > 1 && deepEqual(now, earlier)) now.length = 1;
    } else if (now.length > 0 && now.length < earlier.length)
      errors.push(
        invalidField("spec.ipFamilyPolicy", policy, `must be 'SingleStack' to release the secondary ${label}`),
      );
  }
  return errors;
}

/** An update that leaves a PreferDualStack Service otherwise unchanged keeps its IP families. */
function keepsPreference(spec: Decoded<ServiceSpec>, before: Decoded<ServiceSpec>): boolean {
  return (
    spec.type === before.type &&
    spec.ipFamilyPolicy === "PreferDualStack" &&
    // A Service that was created through `/status` has no policy.
    (!before.ipFamilyPolicy || before.ipFamilyPolicy === "PreferDualStack") &&
    deepEqual(spec.clusterIPs ?? [], before.clusterIPs ?? []) &&
    deepEqual(spec.ipFamilies ?? [], before.ipFamilies ?? [])
  );
}

function allocateAddress(draft: Drafted<Service>, store: Store, dryRun: boolean): void {
  const spec = childDraft(draft, "spec");
  if (spec.type === "ExternalName" || isHeadless(spec)) return;
  const addresses = spec.clusterIPs ?? [];
  const taken = takenAddresses(store);
  const requested = addresses[0];
  if (requested) {
    const problem = addressProblem(requested, taken, dryRun);
    if (problem !== undefined)
      rejectIfInvalid(draft, [
        invalidField("spec.clusterIPs", addresses, `failed to allocate IP ${requested}: ${problem}`),
      ]);
    return;
  }
  // In a dry run kube-apiserver returns the first address of the range.
  const free = dryRun ? 0 : freeOffset(taken);
  const name = draft.metadata?.name ?? "";
  if (free === undefined) throw internalError(`failed to allocate a serviceIP for Service "${name}": range is full`);
  // kube-apiserver creates an IPAddress that references the Service.
  const [problem] =
    name === ""
      ? ["Required value"]
      : pathSegmentName(name).map((detail) => `Invalid value: ${goQuote(name)}: ${detail}`);
  if (!dryRun && problem !== undefined) {
    const why = `IPAddress.networking.k8s.io "10.0.0.${free}" is invalid: spec.parentRef.name: ${problem}`;
    rejectIfInvalid(draft, [invalidField("spec.clusterIPs", [""], `failed to allocate IP: ${why}`)]);
  }
  spec.clusterIP = `10.0.0.${free}`;
  spec.clusterIPs = [spec.clusterIP];
}

function takenAddresses(store: Store): Set<number> {
  const taken = new Set<number>();
  for (const { clusterIPs = [] } of storedServiceSpecs(store))
    for (const address of clusterIPs) {
      const offset = offsetOf(address);
      if (offset !== undefined) taken.add(offset);
    }
  return taken;
}

function offsetOf(address: string): number | undefined {
  const found = parseAddress(address);
  if (found?.family !== 4) return undefined;
  const offset = Number(found.value) - base;
  return offset >= 0 && offset <= lastOffset ? offset : undefined;
}

function addressProblem(address: string, taken: ReadonlySet<number>, dryRun: boolean): string | undefined {
  const offset = offsetOf(address);
  if (offset === undefined && !dryRun) return "the provided network does not match the current range";
  if (offset === undefined || offset === 0 || offset === lastOffset)
    return `the provided IP (${address}) is not in the valid range. The range of valid IPs is ${defaultServiceCidr}`;
  // A dry run does not check that the address is free.
  return !dryRun && taken.has(offset) ? "provided IP is already allocated" : undefined;
}

/** The lowest free address of the dynamic band, else of the static band. */
function freeOffset(taken: ReadonlySet<number>): number | undefined {
  for (let offset = firstFreeOffset; offset < lastOffset; offset++) if (!taken.has(offset)) return offset;
  for (let offset = 1; offset < firstFreeOffset; offset++) if (!taken.has(offset)) return offset;
  return undefined;
}

/** Drops fields that the new type of a Service does not use, unless the client changed them. */
export function dropTypeDependentFields(draft: Drafted<Service>, old: Decoded<Service>): void {
  const spec = childDraft(draft, "spec");
  const before = old.spec ?? {};
  const isSame = (key: keyof ServiceSpec): boolean => deepEqual(spec[key] ?? null, before[key] ?? null);
  const dropUnchanged = (...keys: (keyof ServiceSpec)[]): void => {
    for (const key of keys) if (isSame(key)) drop(spec, key);
  };
  if (before.type !== "ExternalName" && spec.type === "ExternalName") {
    if (isSame("clusterIP") && isSame("clusterIPs"))
      for (const key of ["clusterIP", "clusterIPs"] as const) drop(spec, key);
    dropUnchanged("ipFamilies", "ipFamilyPolicy");
  }
  if (hasNodePorts(before) && !hasNodePorts(spec)) {
    const known = nodePortsOf(before);
    if (nodePortsOf(spec).every((port) => known.includes(port)))
      for (const port of spec.ports ?? []) drop(port, "nodePort");
  }
  if (needsHealthCheck(before) && !needsHealthCheck(spec)) dropUnchanged("healthCheckNodePort");
  if (before.type === "LoadBalancer" && spec.type !== "LoadBalancer")
    dropUnchanged("allocateLoadBalancerNodePorts", "loadBalancerClass");
  if (isExternallyAccessible(before) && !isExternallyAccessible(spec)) dropUnchanged("externalTrafficPolicy");
  if (spec.type !== "LoadBalancer" && Object.keys(old.status?.loadBalancer ?? {}).length > 0)
    draft.status = { ...draft.status, loadBalancer: {} };
}
