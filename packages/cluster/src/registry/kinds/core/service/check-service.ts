import { deepEqual, type JsonObject, type JsonValue } from "@kubewright/core/json";
import { duplicate, type FieldError, forbidden, invalid, notSupported, required } from "@kubewright/core/schema";
import { listAt, metadataOf, numberAt, objectAt, optionalNumber, partAt, textAt, textsAt } from "../../../draft.js";
import { labelName, qualifiedName, subdomainName } from "../../../name-rules.js";
import { checkLabels } from "../../../object-meta.js";
import {
  addressNumber,
  addressRange,
  checkEnum,
  checkName,
  checkOptionalEnum,
  checkPortNumber,
  checkPortOrName,
  type Errors,
  entriesAt,
  immutable,
  ipAddress,
  isVersion6,
  specialAddress,
} from "../../../validation/index.js";

const types = ["ClusterIP", "ExternalName", "LoadBalancer", "NodePort"];
const notChanging = "may not change once set";
const forBalancers = "may only be used when `type` is 'LoadBalancer'";

/** The protocols of ports, in the order of messages. */
export const protocols: readonly string[] = ["SCTP", "TCP", "UDP"];

/** Whether a Service is headless. */
export function isHeadless(spec: JsonObject): boolean {
  const addresses = textsAt(spec, "clusterIPs");
  return addresses.length === 1 && addresses[0] === "None";
}

/** Whether a Service needs a healthCheckNodePort. */
export function needsHealthCheck(spec: JsonObject): boolean {
  return textAt(spec, "type") === "LoadBalancer" && textAt(spec, "externalTrafficPolicy") === "Local";
}

/** Validates a Service. */
export function checkService(object: JsonObject, old: JsonObject | undefined): Errors {
  const errors: Errors = [];
  const spec = objectAt(object, "spec");
  if (old) checkChanged(spec, objectAt(old, "spec"), errors);
  checkTopology(object, errors);
  if (listAt(spec, "ports").length === 0 && !isHeadless(spec) && textAt(spec, "type") !== "ExternalName")
    errors.push(required("spec.ports"));
  checkType(spec, errors);
  checkPorts(spec, errors);
  errors.push(...checkLabels(objectAt(spec, "selector"), "spec.selector"));
  checkAffinity(spec, errors);
  errors.push(...checkClusterAddresses(spec));
  for (const [index, address] of textsAt(spec, "externalIPs").entries()) {
    const field = `spec.externalIPs[${index}]`;
    const problems = ipAddress(address);
    for (const detail of problems) errors.push(invalid(field, address, detail));
    if (problems.length === 0) errors.push(...specialAddress(address, field));
  }
  checkEnum(textAt(spec, "type"), types, "spec.type", errors);
  checkUniquePorts(spec, errors);
  checkBalancer(object, errors);
  checkTraffic(spec, errors);
  return errors;
}

function checkTopology(object: JsonObject, errors: Errors): void {
  const annotations = objectAt(metadataOf(object), "annotations");
  const [mode, hints] = ["service.kubernetes.io/topology-mode", "service.kubernetes.io/topology-aware-hints"] as const;
  if (!Object.hasOwn(annotations, mode) || !Object.hasOwn(annotations, hints)) return;
  if (annotations[mode] !== annotations[hints])
    errors.push(
      invalid(
        `metadata.annotations[${mode}]`,
        textAt(annotations, mode),
        `must match annotations[${hints}] when both are specified`,
      ),
    );
}

function checkType(spec: JsonObject, errors: Errors): void {
  const type = textAt(spec, "type");
  if (isHeadless(spec) && (type === "LoadBalancer" || type === "NodePort"))
    errors.push(invalid("spec.clusterIPs[0]", "None", `may not be set to 'None' for ${type} services`));
  if (type !== "ExternalName") return;
  const why = "may not be set for ExternalName services";
  for (const key of ["clusterIPs", "ipFamilies"])
    if (listAt(spec, key).length > 0) errors.push(forbidden(`spec.${key}`, why));
  if (spec["ipFamilyPolicy"] !== undefined) errors.push(forbidden("spec.ipFamilyPolicy", why));
  const name = textAt(spec, "externalName").replace(/\.$/, "");
  if (name === "") errors.push(required("spec.externalName"));
  else checkName(name, subdomainName, "spec.externalName", errors);
}

function checkPorts(spec: JsonObject, errors: Errors): void {
  const names = new Set<string>();
  const needsName = listAt(spec, "ports").length > 1;
  for (const [port, at] of entriesAt(spec, "ports", "spec")) {
    const name = textAt(port, "name");
    if (name === "") {
      if (needsName) errors.push(required(`${at}.name`));
    } else {
      checkName(name, labelName, `${at}.name`, errors);
      if (names.has(name)) errors.push(duplicate(`${at}.name`, name));
      names.add(name);
    }
    checkPortNumber(numberAt(port, "port"), `${at}.port`, errors);
    checkEnum(textAt(port, "protocol"), protocols, `${at}.protocol`, errors);
    checkPortOrName(port["targetPort"], `${at}.targetPort`, errors);
    if (typeof port["appProtocol"] === "string")
      checkName(port["appProtocol"], qualifiedName, `${at}.appProtocol`, errors);
  }
}

function checkAffinity(spec: JsonObject, errors: Errors): void {
  const affinity = textAt(spec, "sessionAffinity");
  const field = "spec.sessionAffinityConfig";
  checkEnum(affinity, ["ClientIP", "None"], "spec.sessionAffinity", errors);
  if (affinity === "None" && partAt(spec, "sessionAffinityConfig"))
    errors.push(forbidden(field, "must not be set when session affinity is None"));
  if (affinity !== "ClientIP") return;
  const seconds = optionalNumber(objectAt(objectAt(spec, "sessionAffinityConfig"), "clientIP"), "timeoutSeconds");
  if (seconds !== undefined && (seconds <= 0 || seconds > 86_400))
    errors.push(invalid(`${field}.clientIP.timeoutSeconds`, seconds, "must be greater than 0 and less than 86400"));
}

/** Validates clusterIPs, ipFamilies and ipFamilyPolicy. */
export function checkClusterAddresses(spec: JsonObject): FieldError[] {
  if (textAt(spec, "type") === "ExternalName") return [];
  const errors: FieldError[] = [];
  const addresses = textsAt(spec, "clusterIPs");
  const families = textsAt(spec, "ipFamilies");
  const first = textAt(spec, "clusterIP");
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
    spec["ipFamilyPolicy"],
    ["PreferDualStack", "RequireDualStack", "SingleStack"],
    "spec.ipFamilyPolicy",
    errors,
  );
  if (checkEachAddress(addresses, errors)) return errors;
  if (addresses.length > 1 && new Set(addresses.map((one) => addressNumber(one)?.family)).size < addresses.length)
    errors.push(invalid("spec.clusterIPs", addresses, "may specify no more than one IP for each IP family"));
  if (isHeadless(spec)) return errors;
  for (const [index, address] of addresses.entries()) {
    const family = families[index];
    if (family === undefined || (family === "IPv6") === isVersion6(address)) continue;
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

/** Validates each address; true if one is invalid, so that the list cannot be validated. */
function checkEachAddress(addresses: readonly string[], errors: FieldError[]): boolean {
  let isBroken = false;
  for (const [index, address] of addresses.entries()) {
    if (index === 0 && address === "None") {
      if (addresses.length === 1) continue;
      isBroken = true;
      errors.push(invalid("spec.clusterIPs", addresses, "'None' must be the first and only value"));
      continue;
    }
    const problems = ipAddress(address);
    isBroken ||= problems.length > 0;
    for (const detail of problems) errors.push(invalid(`spec.clusterIPs[${index}]`, address, detail));
  }
  if (addresses.length > 2) errors.push(invalid("spec.clusterIPs", addresses, "may only hold up to 2 values"));
  return isBroken;
}

function checkUniquePorts(spec: JsonObject, errors: Errors): void {
  if (textAt(spec, "type") === "ClusterIP")
    for (const [port, at] of entriesAt(spec, "ports", "spec"))
      if (numberAt(port, "nodePort") !== 0)
        errors.push(forbidden(`${at}.nodePort`, "may not be used when `type` is 'ClusterIP'"));
  const nodePorts = new Set<string>();
  for (const [port, at] of entriesAt(spec, "ports", "spec")) {
    const number = numberAt(port, "nodePort");
    const key = `${textAt(port, "protocol")} ${number}`;
    if (number !== 0 && nodePorts.has(key)) errors.push(duplicate(`${at}.nodePort`, number));
    nodePorts.add(key);
  }
  const ports = new Set<string>();
  for (const [port, at] of entriesAt(spec, "ports", "spec")) {
    const key = `${textAt(port, "protocol")} ${numberAt(port, "port")}`;
    if (ports.has(key)) errors.push(duplicate(at, port));
    ports.add(key);
  }
}

function checkBalancer(object: JsonObject, errors: Errors): void {
  const spec = objectAt(object, "spec");
  const isBalancer = textAt(spec, "type") === "LoadBalancer";
  const ranges = textsAt(spec, "loadBalancerSourceRanges");
  const annotation = "service.beta.kubernetes.io/load-balancer-source-ranges";
  const annotations = objectAt(metadataOf(object), "annotations");
  if (ranges.length > 0) {
    const field = "spec.LoadBalancerSourceRanges";
    if (!isBalancer) errors.push(forbidden(field, forBalancers));
    for (const [index, range] of ranges.entries()) checkName(range.trim(), addressRange, `${field}[${index}]`, errors);
  } else if (Object.hasOwn(annotations, annotation)) {
    const field = `metadata.annotations[${annotation}]`;
    if (!isBalancer) errors.push(forbidden(field, forBalancers));
    const value = textAt(annotations, annotation).trim();
    if (value !== "") for (const range of value.split(",")) checkName(range.trim(), addressRange, field, errors);
  }
  if (!isBalancer && spec["allocateLoadBalancerNodePorts"] !== undefined)
    errors.push(forbidden("spec.allocateLoadBalancerNodePorts", forBalancers));
  checkClass(spec, errors);
}

function checkClass(spec: JsonObject, errors: Errors): void {
  const name = spec["loadBalancerClass"];
  if (typeof name !== "string") return;
  if (textAt(spec, "type") === "LoadBalancer") checkName(name, qualifiedName, "spec.loadBalancerClass", errors);
  else errors.push(forbidden("spec.loadBalancerClass", forBalancers));
}

function checkTraffic(spec: JsonObject, errors: Errors): void {
  const type = textAt(spec, "type");
  const policy = textAt(spec, "externalTrafficPolicy");
  const isReachable =
    type === "LoadBalancer" || type === "NodePort" || (type === "ClusterIP" && listAt(spec, "externalIPs").length > 0);
  if (isReachable) checkEnum(policy, ["Cluster", "Local"], "spec.externalTrafficPolicy", errors);
  else if (policy !== "")
    errors.push(invalid("spec.externalTrafficPolicy", policy, "may only be set for externally-accessible services"));
  const port = numberAt(spec, "healthCheckNodePort");
  if (needsHealthCheck(spec)) checkPortNumber(port, "spec.healthCheckNodePort", errors);
  else if (port !== 0)
    errors.push(
      invalid(
        "spec.healthCheckNodePort",
        port,
        "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'",
      ),
    );
  checkOptionalEnum(spec["internalTrafficPolicy"], ["Cluster", "Local"], "spec.internalTrafficPolicy", errors);
  checkOptionalEnum(
    spec["trafficDistribution"],
    ["PreferClose", "PreferSameZone", "PreferSameNode"],
    "spec.trafficDistribution",
    errors,
  );
}

function checkChanged(spec: JsonObject, before: JsonObject, errors: Errors): void {
  const isNamed = [spec, before].some((one) => textAt(one, "type") === "ExternalName");
  if (!isNamed) {
    checkKeptAddresses(spec, before, errors);
    if (!isHeadless(spec) && !isHeadless(before)) {
      const [families, earlier] = [textsAt(spec, "ipFamilies"), textsAt(before, "ipFamilies")];
      for (const [index, family] of earlier.entries())
        if (families.length === earlier.length && families[index] !== family)
          errors.push(invalid("spec.ipFamilies[0]", families, notChanging));
    }
  }
  const isBalanced = [spec, before].every((one) => textAt(one, "type") === "LoadBalancer");
  if (isBalanced && !deepEqual(spec["loadBalancerClass"] ?? null, before["loadBalancerClass"] ?? null))
    errors.push(invalid("spec.loadBalancerClass", (spec["loadBalancerClass"] ?? null) as JsonValue, notChanging));
  if (
    needsHealthCheck(spec) &&
    needsHealthCheck(before) &&
    numberAt(spec, "healthCheckNodePort") !== numberAt(before, "healthCheckNodePort")
  )
    errors.push(forbidden("spec.healthCheckNodePort", immutable));
}

function checkKeptAddresses(spec: JsonObject, before: JsonObject, errors: Errors): void {
  if (isHeadless(spec) && isHeadless(before)) return;
  const [addresses, earlier] = [textsAt(spec, "clusterIPs"), textsAt(before, "clusterIPs")];
  if (addresses.length === earlier.length) {
    for (const [index, address] of earlier.entries())
      if (address !== addresses[index]) errors.push(invalid(`spec.clusterIPs[${index}]`, addresses, notChanging));
    return;
  }
  if (addresses.length === 0 && earlier.length > 0)
    errors.push(invalid("spec.clusterIPs[0]", addresses, "primary clusterIP can not be unset"));
  else if (earlier.length > 0 && addresses[0] !== earlier[0])
    errors.push(invalid("spec.clusterIPs[0]", addresses, notChanging));
}

/** Validates the ingress points of a load balancer status at `field`. */
export function checkEntryPoints(balancer: JsonObject, field: string, errors: Errors): void {
  for (const [entry, at] of entriesAt(balancer, "ingress", field)) {
    const [address, host] = [textAt(entry, "ip"), textAt(entry, "hostname")];
    if (address !== "") checkName(address, ipAddress, `${at}.ip`, errors);
    if (typeof entry["ipMode"] === "string") {
      if (address === "") errors.push(forbidden(`${at}.ipMode`, "may not be specified when `ip` is not set"));
      else checkOptionalEnum(entry["ipMode"], ["Proxy", "VIP"], `${at}.ipMode`, errors);
    }
    if (host === "") continue;
    checkName(host, subdomainName, `${at}.hostname`, errors);
    if (addressNumber(host)) errors.push(invalid(`${at}.hostname`, host, "must be a DNS name, not an IP address"));
  }
}
