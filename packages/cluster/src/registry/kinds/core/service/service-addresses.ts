import { deepEqual, goQuote, type JsonObject, type JsonValue } from "@kubewright/core/json";
import { type FieldError, invalid as invalidField } from "@kubewright/core/schema";
import type { Store } from "../../../../storage/index.js";
import { internalError, invalid } from "../../../api-failure.js";
import {
  childDraft,
  type Draft,
  draftsIn,
  listAt,
  metadataOf,
  numberAt,
  objectAt,
  textAt,
  textsAt,
} from "../../../draft.js";
import { pathSegmentName } from "../../../name-rules.js";
import { addressNumber, isVersion6 } from "../../../validation/index.js";
import { checkClusterAddresses, isHeadless, needsHealthCheck } from "./check-service.js";
import { allocateChangedPorts, allocateNewPorts, keepPorts, nodePortsOf, portsOf } from "./service-ports.js";

/** The ServiceCIDR of the cluster. */
export const serviceRange = "10.0.0.0/24";
const subject = { group: "", kind: "Service" };
const bucket = "services";
const base = 10 * 2 ** 24;
const lastOffset = 255;
/** Addresses below this offset are reserved for static allocation. */
const firstFreeOffset = 16;

/** Allocates the ClusterIPs and node ports of a new Service; requested ones must be free. The store is the record of what is taken. */
export function allocateNew(draft: Draft, store: Store, dryRun: boolean): void {
  const spec = childDraft(draft, "spec");
  if (textAt(spec, "clusterIP") !== "" && textsAt(spec, "clusterIPs").length === 0)
    spec["clusterIPs"] = [textAt(spec, "clusterIP")];
  settleFamilies(draft, undefined);
  allocateAddress(draft, store, !dryRun);
  allocateNewPorts(draft, store, dryRun);
}

/** Allocates for an updated Service, which keeps what it has unless it requests another. */
export function allocateChanged(draft: Draft, old: JsonObject, store: Store, dryRun: boolean): void {
  const spec = childDraft(draft, "spec");
  const before = objectAt(old, "spec");
  keepAllocated(spec, before);
  followFirst(spec, before);
  settleFamilies(draft, old);
  if (textAt(before, "type") === "ExternalName") allocateAddress(draft, store, !dryRun);
  allocateChangedPorts(draft, old, store, dryRun);
}

/** Restores fields that the client left out. */
function keepAllocated(spec: Draft, before: JsonObject): void {
  if (textAt(spec, "type") !== "ExternalName" && textAt(before, "type") !== "ExternalName") {
    if (textAt(spec, "clusterIP") === "" && textAt(before, "clusterIP") !== "")
      spec["clusterIP"] = textAt(before, "clusterIP");
    if (textsAt(spec, "clusterIPs").length === 0 && textsAt(before, "clusterIPs").length > 0)
      spec["clusterIPs"] = textsAt(before, "clusterIPs");
  }
  keepPorts(spec, before);
}

/** clusterIPs follows clusterIP if only that changed. */
function followFirst(spec: Draft, before: JsonObject): void {
  const address = textAt(spec, "clusterIP");
  if (address === textAt(before, "clusterIP")) return;
  if (!deepEqual(textsAt(spec, "clusterIPs"), textsAt(before, "clusterIPs"))) return;
  if (address === "") delete spec["clusterIPs"];
  else spec["clusterIPs"] = [address];
}

function rejectIfInvalid(draft: Draft, errors: readonly FieldError[]): void {
  if (errors.length > 0) throw invalid(subject, textAt(metadataOf(draft), "name"), errors);
}

/** The IP families of a Service in an IPv4 cluster. */
function settleFamilies(draft: Draft, old: JsonObject | undefined): void {
  const spec = childDraft(draft, "spec");
  const before = old && objectAt(old, "spec");
  if (textAt(spec, "type") === "ExternalName" || (before && keepsPreference(spec, before))) return;
  const isBare = textAt(spec, "clusterIP") === "None" && Object.keys(objectAt(spec, "selector")).length === 0;
  if (textAt(spec, "ipFamilyPolicy") === "")
    spec["ipFamilyPolicy"] =
      (before && textAt(before, "ipFamilyPolicy")) || (isBare ? "RequireDualStack" : "SingleStack");
  const policy = textAt(spec, "ipFamilyPolicy");
  rejectIfInvalid(draft, checkClusterAddresses(spec));
  const errors = before ? settleReduced(spec, before, policy) : [];
  const addresses = textsAt(spec, "clusterIPs");
  if (policy === "SingleStack")
    for (const [key, words] of [
      ["clusterIPs", "cluster IPs"],
      ["ipFamilies", "IP families"],
    ] as const)
      if (listAt(spec, key).length === 2)
        errors.push(
          invalidField(
            "spec.ipFamilyPolicy",
            policy,
            `must be 'RequireDualStack' or 'PreferDualStack' when multiple ${words} are specified`,
          ),
        );
  const families = textsAt(spec, "ipFamilies");
  for (const [index, address] of addresses.entries()) {
    if (address === "None") break;
    if (index < families.length) continue;
    if (isVersion6(address))
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
  spec["ipFamilies"] = families;
}

/** SingleStack drops the secondary IP family; nothing else may. */
function settleReduced(spec: Draft, before: JsonObject, policy: string): FieldError[] {
  const errors: FieldError[] = [];
  for (const [key, words] of [
    ["clusterIPs", "cluster IP"],
    ["ipFamilies", "IP family"],
  ] as const) {
    const [now, earlier] = [textsAt(spec, key), textsAt(before, key)];
    if (policy === "SingleStack") {
      if (now.length > 1 && deepEqual(now, earlier)) spec[key] = now.slice(0, 1);
    } else if (now.length > 0 && now.length < earlier.length)
      errors.push(
        invalidField("spec.ipFamilyPolicy", policy, `must be 'SingleStack' to release the secondary ${words}`),
      );
  }
  return errors;
}

/** An update that leaves a PreferDualStack Service otherwise unchanged keeps its IP families. */
function keepsPreference(spec: JsonObject, before: JsonObject): boolean {
  return (
    textAt(spec, "type") === textAt(before, "type") &&
    textAt(spec, "ipFamilyPolicy") === "PreferDualStack" &&
    // A Service that was created through `/status` has none.
    ["", "PreferDualStack"].includes(textAt(before, "ipFamilyPolicy")) &&
    ["clusterIPs", "ipFamilies"].every((key) => deepEqual(listAt(spec, key), listAt(before, key)))
  );
}

function allocateAddress(draft: Draft, store: Store, keeps: boolean): void {
  const spec = childDraft(draft, "spec");
  if (textAt(spec, "type") === "ExternalName" || isHeadless(spec)) return;
  const addresses = textsAt(spec, "clusterIPs");
  const taken = takenAddresses(store);
  const wanted = addresses[0];
  if (wanted !== undefined && wanted !== "") {
    const problem = addressProblem(wanted, taken, keeps);
    if (problem !== undefined)
      rejectIfInvalid(draft, [
        invalidField("spec.clusterIPs", addresses, `failed to allocate IP ${wanted}: ${problem}`),
      ]);
    return;
  }
  // In a dry run kube-apiserver returns the first address of the range.
  const free = keeps ? freeOffset(taken) : 0;
  if (free === undefined)
    throw internalError(
      `failed to allocate a serviceIP for Service "${textAt(metadataOf(draft), "name")}": range is full`,
    );
  // kube-apiserver creates an IPAddress that names the Service.
  const name = textAt(metadataOf(draft), "name");
  const [problem] =
    name === "" ? ["Required value"] : pathSegmentName(name).map((text) => `Invalid value: ${goQuote(name)}: ${text}`);
  if (keeps && problem !== undefined) {
    const why = `IPAddress.networking.k8s.io "10.0.0.${free}" is invalid: spec.parentRef.name: ${problem}`;
    rejectIfInvalid(draft, [invalidField("spec.clusterIPs", [""], `failed to allocate IP: ${why}`)]);
  }
  spec["clusterIP"] = `10.0.0.${free}`;
  spec["clusterIPs"] = [`10.0.0.${free}`];
}

function takenAddresses(store: Store): Set<number> {
  const taken = new Set<number>();
  for (const { object } of store.bucket(bucket).list())
    for (const address of textsAt(objectAt(object, "spec"), "clusterIPs")) {
      const offset = offsetOf(address);
      if (offset !== undefined) taken.add(offset);
    }
  return taken;
}

function offsetOf(address: string): number | undefined {
  const found = addressNumber(address);
  if (found?.family !== 4) return undefined;
  const offset = Number(found.value) - base;
  return offset >= 0 && offset <= lastOffset ? offset : undefined;
}

function addressProblem(address: string, taken: ReadonlySet<number>, keeps: boolean): string | undefined {
  const offset = offsetOf(address);
  if (offset === undefined && !keeps)
    return `the provided IP (${address}) is not in the valid range. The range of valid IPs is 10.0.0.0/24`;
  if (offset === undefined) return "the provided network does not match the current range";
  if (offset === 0 || offset === lastOffset)
    return `the provided IP (${address}) is not in the valid range. The range of valid IPs is ${serviceRange}`;
  // A dry run does not check that the address is free.
  return keeps && taken.has(offset) ? "provided IP is already allocated" : undefined;
}

/** The lowest free address of the upper part of the range, else of the lower part. */
function freeOffset(taken: ReadonlySet<number>): number | undefined {
  for (let offset = firstFreeOffset; offset < lastOffset; offset++) if (!taken.has(offset)) return offset;
  for (let offset = 1; offset < firstFreeOffset; offset++) if (!taken.has(offset)) return offset;
  return undefined;
}

/** Drops fields that the new type of a Service does not use, unless the client changed them. */
export function dropUnneeded(draft: Draft, old: JsonObject): void {
  const spec = childDraft(draft, "spec");
  const before = objectAt(old, "spec");
  const type = textAt(spec, "type");
  const earlier = textAt(before, "type");
  const isSame = (key: string): boolean => deepEqual(spec[key] ?? null, (before[key] ?? null) as JsonValue);
  if (earlier !== "ExternalName" && type === "ExternalName") {
    if (isSame("clusterIP") && isSame("clusterIPs")) {
      delete spec["clusterIP"];
      delete spec["clusterIPs"];
    }
    for (const key of ["ipFamilies", "ipFamilyPolicy"]) if (isSame(key)) delete spec[key];
  }
  const hasPorts = (one: string): boolean => one === "NodePort" || one === "LoadBalancer";
  if (hasPorts(earlier) && !hasPorts(type)) {
    const known = nodePortsOf(before);
    if (portsOf(spec).every((port) => [0, ...known].includes(numberAt(port, "nodePort"))))
      for (const port of draftsIn(spec["ports"])) delete port["nodePort"];
  }
  if (needsHealthCheck(before) && !needsHealthCheck(spec) && isSame("healthCheckNodePort"))
    delete spec["healthCheckNodePort"];
  if (earlier === "LoadBalancer" && type !== "LoadBalancer")
    for (const key of ["allocateLoadBalancerNodePorts", "loadBalancerClass"]) if (isSame(key)) delete spec[key];
  if (isReachable(before) && !isReachable(spec) && isSame("externalTrafficPolicy"))
    delete spec["externalTrafficPolicy"];
  if (type !== "LoadBalancer" && Object.keys(objectAt(objectAt(old, "status"), "loadBalancer")).length > 0)
    draft["status"] = { ...(objectAt(draft, "status") as Draft), loadBalancer: {} };
}

/** Whether a Service is reachable from outside of the cluster. */
export function isReachable(spec: JsonObject): boolean {
  const type = textAt(spec, "type");
  if (type === "LoadBalancer" || type === "NodePort") return true;
  return type === "ClusterIP" && listAt(spec, "externalIPs").length > 0;
}
