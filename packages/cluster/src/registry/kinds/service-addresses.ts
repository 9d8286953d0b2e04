import { deepEqual, goQuote, type JsonObject, type JsonValue } from "@kubewright/core/json";
import { type FieldError, invalid as invalidField } from "@kubewright/core/schema";
import type { Store } from "../../storage/index.js";
import { ApiFailure, invalid } from "../api-failure.js";
import { childDraft, type Draft, draftsIn, listAt, metadataOf, objectAt, textAt, textsAt } from "../draft.js";
import { checkClusterAddresses, isHeadless, needsHealthCheck } from "./check-service.js";
import { numberAt } from "./field-checks.js";
import { pathSegmentName } from "./generic.js";
import { addressNumber, isVersion6 } from "./network-values.js";

/** The range from which Services get their addresses. */
export const serviceRange = "10.0.0.0/24";

const subject = { group: "", kind: "Service" };
const bucket = "services";
const base = 10 * 2 ** 24;
const lastOffset = 255;
/** Addresses below this are left to those who ask for one. */
const firstFreeOffset = 16;
const ports = { first: 30_000, last: 32_767, firstFree: 30_086 };

/** Gives a new Service its addresses and ports; what it asks for must be free. Nothing is remembered: the store says what is taken. */
export function allocateNew(draft: Draft, store: Store, dryRun: boolean): void {
  const spec = childDraft(draft, "spec");
  if (textAt(spec, "clusterIP") !== "" && textsAt(spec, "clusterIPs").length === 0)
    spec["clusterIPs"] = [textAt(spec, "clusterIP")];
  settleFamilies(draft, undefined);
  allocateAddress(draft, store, !dryRun);
  allocatePorts(draft, undefined, store, !dryRun);
}

/** The same for a Service that changes: it keeps what it has, unless it says otherwise. */
export function allocateChanged(draft: Draft, old: JsonObject, store: Store, dryRun: boolean): void {
  const spec = childDraft(draft, "spec");
  const before = objectAt(old, "spec");
  keepAllocated(spec, before);
  followFirst(spec, before);
  settleFamilies(draft, old);
  if (textAt(before, "type") === "ExternalName") allocateAddress(draft, store, !dryRun);
  allocatePorts(draft, old, store, !dryRun);
}

function needsNodePorts(spec: JsonObject): boolean {
  const type = textAt(spec, "type");
  return type === "NodePort" || (type === "LoadBalancer" && spec["allocateLoadBalancerNodePorts"] !== false);
}

/** What a client left out, and the Service has. */
function keepAllocated(spec: Draft, before: JsonObject): void {
  if (textAt(spec, "type") !== "ExternalName" && textAt(before, "type") !== "ExternalName") {
    if (textAt(spec, "clusterIP") === "" && textAt(before, "clusterIP") !== "")
      spec["clusterIP"] = textAt(before, "clusterIP");
    if (textsAt(spec, "clusterIPs").length === 0 && textsAt(before, "clusterIPs").length > 0)
      spec["clusterIPs"] = textsAt(before, "clusterIPs");
  }
  if (needsNodePorts(spec) && needsNodePorts(before)) {
    const known = new Map(portsOf(before).map((port) => [textAt(port, "name"), numberAt(port, "nodePort")]));
    const named = new Set(portsOf(spec).map((port) => numberAt(port, "nodePort")));
    for (const port of draftsIn(spec["ports"])) {
      const earlier = known.get(textAt(port, "name")) ?? 0;
      if (numberAt(port, "nodePort") === 0 && earlier !== 0 && !named.has(earlier)) port["nodePort"] = earlier;
    }
  }
  if (needsHealthCheck(spec) && needsHealthCheck(before) && numberAt(spec, "healthCheckNodePort") === 0)
    spec["healthCheckNodePort"] = numberAt(before, "healthCheckNodePort");
}

/** The list of addresses follows the first one, where only that was changed. */
function followFirst(spec: Draft, before: JsonObject): void {
  const address = textAt(spec, "clusterIP");
  if (address === textAt(before, "clusterIP")) return;
  if (!deepEqual(textsAt(spec, "clusterIPs"), textsAt(before, "clusterIPs"))) return;
  if (address === "") delete spec["clusterIPs"];
  else spec["clusterIPs"] = [address];
}

function refuse(draft: Draft, errors: readonly FieldError[]): void {
  if (errors.length > 0) throw invalid(subject, textAt(metadataOf(draft), "name"), errors);
}

/** Which families of addresses a Service has, on a cluster that has version 4 alone. */
function settleFamilies(draft: Draft, old: JsonObject | undefined): void {
  const spec = childDraft(draft, "spec");
  const before = old && objectAt(old, "spec");
  if (textAt(spec, "type") === "ExternalName" || (before && keepsPreference(spec, before))) return;
  const isBare = textAt(spec, "clusterIP") === "None" && Object.keys(objectAt(spec, "selector")).length === 0;
  if (textAt(spec, "ipFamilyPolicy") === "")
    spec["ipFamilyPolicy"] =
      (before && textAt(before, "ipFamilyPolicy")) || (isBare ? "RequireDualStack" : "SingleStack");
  const policy = textAt(spec, "ipFamilyPolicy");
  refuse(draft, checkClusterAddresses(spec));
  const errors: FieldError[] = [];
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
  refuse(draft, errors);
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
    refuse(draft, errors);
    if (families.length === 0) families.push("IPv4");
  }
  spec["ipFamilies"] = families;
}

/** A Service that prefers two families is not moved between one and two by the way. */
function keepsPreference(spec: JsonObject, before: JsonObject): boolean {
  return (
    textAt(spec, "type") === textAt(before, "type") &&
    [spec, before].every((one) => textAt(one, "ipFamilyPolicy") === "PreferDualStack") &&
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
      refuse(draft, [invalidField("spec.clusterIPs", addresses, `failed to allocate IP ${wanted}: ${problem}`)]);
    return;
  }
  // Where nothing is stored, a real server takes the address of the range itself.
  const free = keeps ? freeOffset(taken) : 0;
  if (free === undefined)
    throw internal(`failed to allocate a serviceIP for Service "${textAt(metadataOf(draft), "name")}": range is full`);
  // A real server keeps an address as an object, which names its Service.
  const name = textAt(metadataOf(draft), "name");
  const [problem] =
    name === "" ? ["Required value"] : pathSegmentName(name).map((text) => `Invalid value: ${goQuote(name)}: ${text}`);
  if (keeps && problem !== undefined) {
    const why = `IPAddress.networking.k8s.io "10.0.0.${free}" is invalid: spec.parentRef.name: ${problem}`;
    refuse(draft, [invalidField("spec.clusterIPs", [""], `failed to allocate IP: ${why}`)]);
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
  return taken.has(offset) ? "provided IP is already allocated" : undefined;
}

/** The lowest free address of the upper part; the lower part is for when that is used up. */
function freeOffset(taken: ReadonlySet<number>): number | undefined {
  for (let offset = firstFreeOffset; offset < lastOffset; offset++) if (!taken.has(offset)) return offset;
  for (let offset = 1; offset < firstFreeOffset; offset++) if (!taken.has(offset)) return offset;
  return undefined;
}

function internal(why: string): ApiFailure {
  return new ApiFailure(500, "InternalError", `Internal error occurred: ${why}`, { causes: [{ message: why }] });
}

function portsOf(spec: JsonObject): JsonObject[] {
  return listAt(spec, "ports").filter((port): port is JsonObject => typeof port === "object" && port !== null);
}

function nodePortsOf(spec: JsonObject): number[] {
  const all = [...portsOf(spec).map((port) => numberAt(port, "nodePort")), numberAt(spec, "healthCheckNodePort")];
  return all.filter((port) => port !== 0);
}

function allocatePorts(draft: Draft, old: JsonObject | undefined, store: Store, keeps: boolean): void {
  const spec = childDraft(draft, "spec");
  const type = textAt(spec, "type");
  const own = new Set(old ? nodePortsOf(objectAt(old, "spec")) : []);
  const needsCheck = needsHealthCheck(spec);
  if (type !== "NodePort" && type !== "LoadBalancer") return;
  let taken: Set<number> | undefined;
  // Every Service is looked at, so only where a port is really wanted.
  const takenPorts = (): Set<number> => {
    taken ??= takenNodePorts(store, own);
    return taken;
  };
  // Where nothing is stored, a real server counts on from the highest port that was asked for, or from beyond the last one.
  let highest: number | undefined;
  const nextPort = (what: string): number => {
    if (keeps) return freePort(takenPorts(), what);
    highest = (highest ?? ports.last + 1) + 1;
    return highest;
  };
  for (const [index, port] of draftsIn(spec["ports"]).entries()) {
    const asked = numberAt(port, "nodePort");
    if (asked === 0) {
      if (needsNodePorts(spec)) port["nodePort"] = nextPort("nodePort");
      continue;
    }
    if (own.has(asked)) continue;
    const problem = portProblem(asked, takenPorts(), keeps);
    if (problem !== undefined) refuse(draft, [invalidField(`spec.ports[${index}].nodePort`, asked, problem)]);
    own.add(asked);
    highest = Math.max(highest ?? 0, asked);
  }
  if (!needsCheck) return;
  const asked = numberAt(spec, "healthCheckNodePort");
  if (asked === 0) spec["healthCheckNodePort"] = nextPort("HealthCheck NodePort ");
  else if (!own.has(asked)) {
    const problem = portProblem(asked, takenPorts(), keeps);
    if (problem !== undefined) throw internal(`failed to allocate requested HealthCheck NodePort ${asked}: ${problem}`);
  }
}

function takenNodePorts(store: Store, own: ReadonlySet<number>): Set<number> {
  const taken = new Set<number>(own);
  for (const { object } of store.bucket(bucket).list())
    for (const port of nodePortsOf(objectAt(object, "spec"))) taken.add(port);
  return taken;
}

/** Where nothing is stored, only that nobody else has the port is looked at. */
function portProblem(port: number, taken: ReadonlySet<number>, keeps: boolean): string | undefined {
  if (keeps && (port < ports.first || port > ports.last))
    return `provided port is not in the valid range. The range of valid ports is ${ports.first}-${ports.last}`;
  return taken.has(port) ? "provided port is already allocated" : undefined;
}

/** Takes the lowest free port of the upper part, else of the lower. */
function freePort(taken: Set<number>, what: string): number {
  for (const [from, to] of [
    [ports.firstFree, ports.last],
    [ports.first, ports.firstFree - 1],
  ] as const)
    for (let port = from; port <= to; port++) {
      if (taken.has(port)) continue;
      taken.add(port);
      return port;
    }
  throw internal(`failed to allocate a ${what}: range is full`);
}

/** What a Service that became of another type no longer needs, where the client did not change it too. */
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

/** Whether a Service is reached from outside of the cluster. */
export function isReachable(spec: JsonObject): boolean {
  const type = textAt(spec, "type");
  if (type === "LoadBalancer" || type === "NodePort") return true;
  return type === "ClusterIP" && listAt(spec, "externalIPs").length > 0;
}
