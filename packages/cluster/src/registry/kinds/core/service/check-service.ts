import { duplicate, type FieldError, forbidden, invalid, notSupported, required } from "@kubewright/core/schema";
import type { Service, ServiceSpec } from "kubewright/k8s/core/v1";
import type { Decoded } from "../../../decoded.js";
import { labelName, qualifiedName, subdomainName } from "../../../name-rules.js";
import { checkLabels } from "../../../object-meta.js";
import {
  checkEnum,
  checkName,
  checkNonSpecialIP,
  checkOptionalEnum,
  checkPortNumber,
  checkPortOrName,
  checkRequiredName,
  cidrValue,
  type Errors,
  entriesAt,
  immutable,
  ipAddress,
  isIPv6Address,
  parseAddress,
} from "../../../validation/index.js";

const types = ["ClusterIP", "ExternalName", "LoadBalancer", "NodePort"];
const immutableOnceSet = "may not change once set";
const loadBalancerOnly = "may only be used when `type` is 'LoadBalancer'";

/** The protocols of ports, in the order of kube-apiserver's messages. */
export const protocols: readonly string[] = ["SCTP", "TCP", "UDP"];

/** Whether a Service is headless. */
export function isHeadless({ clusterIPs }: Decoded<ServiceSpec>): boolean {
  return clusterIPs?.length === 1 && clusterIPs[0] === "None";
}

/** Whether a Service is accessible from outside the cluster (`ExternallyAccessible`). */
export function isExternallyAccessible({ type, externalIPs }: Decoded<ServiceSpec>): boolean {
  return type === "LoadBalancer" || type === "NodePort" || (type === "ClusterIP" && (externalIPs?.length ?? 0) > 0);
}

/** Whether a Service needs a healthCheckNodePort. */
export function needsHealthCheck(spec: Decoded<ServiceSpec>): boolean {
  return spec.type === "LoadBalancer" && spec.externalTrafficPolicy === "Local";
}

/** Validates a Service. */
export function checkService(object: Decoded<Service>, old: Decoded<Service> | undefined): Errors {
  const errors: Errors = [];
  const spec = object.spec ?? {};
  if (old) checkChanged(spec, old.spec ?? {}, errors);
  checkTopology(object, errors);
  if (!spec.ports?.length && !isHeadless(spec) && spec.type !== "ExternalName") errors.push(required("spec.ports"));
  checkType(spec, errors);
  checkPorts(spec, errors);
  errors.push(...checkLabels(spec.selector ?? {}, "spec.selector"));
  checkAffinity(spec, errors);
  errors.push(...checkClusterIPs(spec));
  for (const [address, at] of entriesAt(spec, "externalIPs", "spec")) {
    const problems = ipAddress(address);
    for (const detail of problems) errors.push(invalid(at, address, detail));
    if (problems.length === 0) errors.push(...checkNonSpecialIP(address, at));
  }
  checkEnum(spec.type ?? "", types, "spec.type", errors);
  checkUniquePorts(spec, errors);
  checkLoadBalancer(object, errors);
  checkTrafficPolicies(spec, errors);
  return errors;
}

function checkTopology({ metadata }: Decoded<Service>, errors: Errors): void {
  const [mode, hints] = ["service.kubernetes.io/topology-mode", "service.kubernetes.io/topology-aware-hints"] as const;
  const { [mode]: value, [hints]: hint } = metadata?.annotations ?? {};
  if (value !== undefined && hint !== undefined && value !== hint)
    errors.push(
      invalid(`metadata.annotations[${mode}]`, value, `must match annotations[${hints}] when both are specified`),
    );
}

function checkType(spec: Decoded<ServiceSpec>, errors: Errors): void {
  const { type } = spec;
  if (isHeadless(spec) && (type === "LoadBalancer" || type === "NodePort"))
    errors.push(invalid("spec.clusterIPs[0]", "None", `may not be set to 'None' for ${type} services`));
  if (type !== "ExternalName") return;
  const why = "may not be set for ExternalName services";
  for (const key of ["clusterIPs", "ipFamilies"] as const)
    if (spec[key]?.length) errors.push(forbidden(`spec.${key}`, why));
  if (spec.ipFamilyPolicy !== undefined) errors.push(forbidden("spec.ipFamilyPolicy", why));
  checkRequiredName((spec.externalName ?? "").replace(/\.$/, ""), subdomainName, "spec.externalName", errors);
}

function checkPorts(spec: Decoded<ServiceSpec>, errors: Errors): void {
  const names = new Set<string>();
  const ports = entriesAt(spec, "ports", "spec");
  for (const [port, at] of ports) {
    const { name = "", appProtocol } = port;
    if (name === "") {
      if (ports.length > 1) errors.push(required(`${at}.name`));
    } else {
      checkName(name, labelName, `${at}.name`, errors);
      if (names.has(name)) errors.push(duplicate(`${at}.name`, name));
      names.add(name);
    }
    checkPortNumber(port.port ?? 0, `${at}.port`, errors);
    checkEnum(port.protocol ?? "", protocols, `${at}.protocol`, errors);
    checkPortOrName(port.targetPort, `${at}.targetPort`, errors);
    if (appProtocol !== undefined) checkName(appProtocol, qualifiedName, `${at}.appProtocol`, errors);
  }
}

function checkAffinity(spec: Decoded<ServiceSpec>, errors: Errors): void {
  const { sessionAffinity: affinity = "", sessionAffinityConfig: config } = spec;
  const field = "spec.sessionAffinityConfig";
  checkEnum(affinity, ["ClientIP", "None"], "spec.sessionAffinity", errors);
  if (affinity === "None" && config) errors.push(forbidden(field, "must not be set when session affinity is None"));
  if (affinity !== "ClientIP") return;
  const seconds = config?.clientIP?.timeoutSeconds;
  if (seconds !== undefined && (seconds <= 0 || seconds > 86_400))
    errors.push(invalid(`${field}.clientIP.timeoutSeconds`, seconds, "must be greater than 0 and less than 86400"));
}

/** Validates clusterIPs, ipFamilies and ipFamilyPolicy. */
export function checkClusterIPs(spec: Decoded<ServiceSpec>): FieldError[] {
  if (spec.type === "ExternalName") return [];
  const errors: FieldError[] = [];
  const { clusterIP: first = "", clusterIPs: addresses = [], ipFamilies: families = [] } = spec;
  if (first === "" && addresses.length > 0)
    errors.push(invalid("spec.clusterIPs", addresses, "must be empty when `clusterIP` is not specified"));
  else if (first !== "" && addresses.length === 0) errors.push(required("spec.clusterIPs"));
  else if (first !== "" && addresses[0] !== first)
    errors.push(invalid("spec.clusterIPs", addresses, "first value must match `clusterIP`"));
  for (const [index, family] of families.entries()) {
    if (family !== "IPv4" && family !== "IPv6")
      errors.push(notSupported(`spec.ipFamilies[${index}]`, family, ["IPv4", "IPv6"]));
    if (families.indexOf(family) < index) errors.push(duplicate(`spec.ipFamilies[${index}]`, family));
  }
  checkOptionalEnum(
    spec.ipFamilyPolicy,
    ["PreferDualStack", "RequireDualStack", "SingleStack"],
    "spec.ipFamilyPolicy",
    errors,
  );
  if (checkEachAddress(addresses, errors)) return errors;
  if (addresses.length > 1 && new Set(addresses.map((one) => parseAddress(one)?.family)).size < addresses.length)
    errors.push(invalid("spec.clusterIPs", addresses, "may specify no more than one IP for each IP family"));
  if (isHeadless(spec)) return errors;
  for (const [index, address] of addresses.entries()) {
    const family = families[index];
    if (family === undefined || (family === "IPv6") === isIPv6Address(address)) continue;
    errors.push(
      invalid(
        `spec.clusterIPs[${index}]`,
        address,
        `expected an ${family} value as indicated by \`ipFamilies[${index}]\``,
      ),
    );
  }
  return errors;
}

/** Validates each address. Returns whether one is invalid: the list cannot be validated then. */
function checkEachAddress(addresses: readonly string[], errors: FieldError[]): boolean {
  let hasInvalid = false;
  for (const [index, address] of addresses.entries()) {
    if (index === 0 && address === "None") {
      if (addresses.length === 1) continue;
      hasInvalid = true;
      errors.push(invalid("spec.clusterIPs", addresses, "'None' must be the first and only value"));
      continue;
    }
    const problems = ipAddress(address);
    hasInvalid ||= problems.length > 0;
    for (const detail of problems) errors.push(invalid(`spec.clusterIPs[${index}]`, address, detail));
  }
  if (addresses.length > 2) errors.push(invalid("spec.clusterIPs", addresses, "may only hold up to 2 values"));
  return hasInvalid;
}

function checkUniquePorts(spec: Decoded<ServiceSpec>, errors: Errors): void {
  const nodePorts = new Set<string>();
  for (const [{ nodePort, protocol }, at] of entriesAt(spec, "ports", "spec")) {
    if (!nodePort) continue;
    if (spec.type === "ClusterIP")
      errors.push(forbidden(`${at}.nodePort`, "may not be used when `type` is 'ClusterIP'"));
    const key = `${protocol} ${nodePort}`;
    if (nodePorts.has(key)) errors.push(duplicate(`${at}.nodePort`, nodePort));
    nodePorts.add(key);
  }
  const ports = new Set<string>();
  for (const [port, at] of entriesAt(spec, "ports", "spec")) {
    const key = `${port.protocol} ${port.port}`;
    if (ports.has(key)) errors.push(duplicate(at, port));
    ports.add(key);
  }
}

function checkLoadBalancer({ metadata, spec = {} }: Decoded<Service>, errors: Errors): void {
  const isLoadBalancer = spec.type === "LoadBalancer";
  const ranges = spec.loadBalancerSourceRanges ?? [];
  const annotation = "service.beta.kubernetes.io/load-balancer-source-ranges";
  const annotated = metadata?.annotations?.[annotation];
  if (ranges.length > 0) {
    const field = "spec.LoadBalancerSourceRanges";
    if (!isLoadBalancer) errors.push(forbidden(field, loadBalancerOnly));
    for (const [index, range] of ranges.entries()) checkName(range.trim(), cidrValue, `${field}[${index}]`, errors);
  } else if (annotated !== undefined) {
    const field = `metadata.annotations[${annotation}]`;
    if (!isLoadBalancer) errors.push(forbidden(field, loadBalancerOnly));
    if (annotated.trim() !== "")
      for (const range of annotated.split(",")) checkName(range.trim(), cidrValue, field, errors);
  }
  if (!isLoadBalancer && spec.allocateLoadBalancerNodePorts !== undefined)
    errors.push(forbidden("spec.allocateLoadBalancerNodePorts", loadBalancerOnly));
  checkClass(spec, errors);
}

function checkClass({ type, loadBalancerClass: name }: Decoded<ServiceSpec>, errors: Errors): void {
  if (name === undefined) return;
  if (type === "LoadBalancer") checkName(name, qualifiedName, "spec.loadBalancerClass", errors);
  else errors.push(forbidden("spec.loadBalancerClass", loadBalancerOnly));
}

function checkTrafficPolicies(spec: Decoded<ServiceSpec>, errors: Errors): void {
  const { externalTrafficPolicy: policy = "", healthCheckNodePort: port = 0 } = spec;
  if (isExternallyAccessible(spec)) checkEnum(policy, ["Cluster", "Local"], "spec.externalTrafficPolicy", errors);
  else if (policy !== "")
    errors.push(invalid("spec.externalTrafficPolicy", policy, "may only be set for externally-accessible services"));
  if (needsHealthCheck(spec)) checkPortNumber(port, "spec.healthCheckNodePort", errors);
  else if (port !== 0)
    errors.push(
      invalid(
        "spec.healthCheckNodePort",
        port,
        "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'",
      ),
    );
  checkOptionalEnum(spec.internalTrafficPolicy, ["Cluster", "Local"], "spec.internalTrafficPolicy", errors);
  checkOptionalEnum(
    spec.trafficDistribution,
    ["PreferClose", "PreferSameZone", "PreferSameNode"],
    "spec.trafficDistribution",
    errors,
  );
}

function checkChanged(spec: Decoded<ServiceSpec>, before: Decoded<ServiceSpec>, errors: Errors): void {
  if (spec.type !== "ExternalName" && before.type !== "ExternalName") {
    checkClusterIPsUnchanged(spec, before, errors);
    if (!isHeadless(spec) && !isHeadless(before)) {
      const [families, earlier] = [spec.ipFamilies ?? [], before.ipFamilies ?? []];
      for (const [index, family] of earlier.entries())
        if (families.length === earlier.length && families[index] !== family)
          errors.push(invalid("spec.ipFamilies[0]", families, immutableOnceSet));
    }
  }
  const isLoadBalancer = spec.type === "LoadBalancer" && before.type === "LoadBalancer";
  if (isLoadBalancer && spec.loadBalancerClass !== before.loadBalancerClass)
    errors.push(invalid("spec.loadBalancerClass", spec.loadBalancerClass ?? null, immutableOnceSet));
  const isChecked = needsHealthCheck(spec) && needsHealthCheck(before);
  if (isChecked && spec.healthCheckNodePort !== before.healthCheckNodePort)
    errors.push(forbidden("spec.healthCheckNodePort", immutable));
}

function checkClusterIPsUnchanged(spec: Decoded<ServiceSpec>, before: Decoded<ServiceSpec>, errors: Errors): void {
  if (isHeadless(spec) && isHeadless(before)) return;
  const [addresses, earlier] = [spec.clusterIPs ?? [], before.clusterIPs ?? []];
  if (addresses.length === earlier.length) {
    for (const [index, address] of earlier.entries())
      if (address !== addresses[index]) errors.push(invalid(`spec.clusterIPs[${index}]`, addresses, immutableOnceSet));
    return;
  }
  if (addresses.length === 0 && earlier.length > 0)
    errors.push(invalid("spec.clusterIPs[0]", addresses, "primary clusterIP can not be unset"));
  else if (earlier.length > 0 && addresses[0] !== earlier[0])
    errors.push(invalid("spec.clusterIPs[0]", addresses, immutableOnceSet));
}
