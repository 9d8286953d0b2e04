import type { JsonObject } from "@kubewright/core/json";
import { invalid as invalidField } from "@kubewright/core/schema";
import type { Store } from "../../../../storage/index.js";
import { ApiFailure, internalError, invalid } from "../../../api-failure.js";
import { childDraft, type Draft, draftsIn, listAt, metadataOf, numberAt, objectAt, textAt } from "../../../draft.js";
import { needsHealthCheck } from "./check-service.js";

const subject = { group: "", kind: "Service" };
const bucket = "services";
const range = { first: 30_000, last: 32_767, firstFree: 30_086 };

/** The ports of a Service. */
export function portsOf(spec: JsonObject): JsonObject[] {
  return listAt(spec, "ports").filter((port): port is JsonObject => typeof port === "object" && port !== null);
}

/** The node ports of a Service. */
export function nodePortsOf(spec: JsonObject): number[] {
  return portsOf(spec)
    .map((port) => numberAt(port, "nodePort"))
    .filter((port) => port !== 0);
}

/** The node ports that one request takes. The store is the record of what is taken. */
class Ports {
  readonly #store: Store;
  readonly #dryRun: boolean;
  readonly #own: number[] = [];
  #taken: Set<number> | undefined;

  constructor(store: Store, dryRun: boolean) {
    this.#store = store;
    this.#dryRun = dryRun;
  }

  /** Takes this port, or returns the reason why not. A dry run checks only that it is free. */
  take(port: number): string | undefined {
    if (!this.#dryRun && (port < range.first || port > range.last))
      return `provided port is not in the valid range. The range of valid ports is ${range.first}-${range.last}`;
    if (this.#isTaken(port)) return "provided port is already allocated";
    this.#own.push(port);
    return undefined;
  }

  /** Takes the lowest free port of the upper part of the range, else of the lower. `what` names the use in the error. */
  next(what: string): number {
    const port = this.#dryRun ? this.#dummy() : this.#free();
    if (port === undefined) throw internalError(`failed to allocate a ${what}: range is full`);
    this.#own.push(port);
    return port;
  }

  /** In a dry run kube-apiserver counts on from the highest port in use. */
  #dummy(): number {
    return (this.#own.length === 0 ? range.last + 1 : Math.max(0, ...this.#own)) + 1;
  }

  #free(): number | undefined {
    for (let port = range.firstFree; port <= range.last; port++) if (!this.#isTaken(port)) return port;
    for (let port = range.first; port < range.firstFree; port++) if (!this.#isTaken(port)) return port;
    return undefined;
  }

  #isTaken(port: number): boolean {
    // Reads every Service, so only if a port is requested.
    this.#taken ??= takenPorts(this.#store);
    return this.#taken.has(port) || this.#own.includes(port);
  }
}

function takenPorts(store: Store): Set<number> {
  const taken = new Set<number>();
  for (const { object } of store.bucket(bucket).list()) {
    const spec = objectAt(object, "spec");
    for (const port of [...nodePortsOf(spec), numberAt(spec, "healthCheckNodePort")]) taken.add(port);
  }
  return taken;
}

function hasNodePorts(spec: JsonObject): boolean {
  return ["NodePort", "LoadBalancer"].includes(textAt(spec, "type"));
}

function needsNodePorts(spec: JsonObject): boolean {
  return hasNodePorts(spec) && (textAt(spec, "type") === "NodePort" || spec["allocateLoadBalancerNodePorts"] !== false);
}

function takeAt(draft: Draft, ports: Ports, index: number, port: number): void {
  const problem = ports.take(port);
  if (problem === undefined) return;
  const error = invalidField(`spec.ports[${index}].nodePort`, port, problem);
  throw invalid(subject, textAt(metadataOf(draft), "name"), [error]);
}

/** Allocates the node ports of a new Service. Ports of one number with several protocols share one. */
export function allocateNewPorts(draft: Draft, store: Store, dryRun: boolean): void {
  const spec = childDraft(draft, "spec");
  if (!hasNodePorts(spec)) return;
  const ports = new Ports(store, dryRun);
  const shared = new Map<number, number>();
  for (const [index, port] of draftsIn(spec["ports"]).entries()) {
    const asked = numberAt(port, "nodePort");
    if (asked === 0 && !needsNodePorts(spec)) continue;
    const number = numberAt(port, "port");
    const known = shared.get(number);
    if (known === undefined) {
      // A port that a later entry requests serves the earlier entry of the same number too.
      const wanted = portsOf(spec).find((one) => numberAt(one, "port") === number && numberAt(one, "nodePort") !== 0);
      if (wanted) takeAt(draft, ports, index, numberAt(wanted, "nodePort"));
      const given = wanted ? numberAt(wanted, "nodePort") : ports.next("nodePort");
      port["nodePort"] = given;
      shared.set(number, given);
    } else if (asked === 0) port["nodePort"] = known;
    else if (asked !== known) takeAt(draft, ports, index, asked);
  }
  allocateHealthCheck(spec, ports);
}

/** Allocates for an updated Service; its own node ports need not be free. */
export function allocateChangedPorts(draft: Draft, old: JsonObject, store: Store, dryRun: boolean): void {
  const spec = childDraft(draft, "spec");
  if (!hasNodePorts(spec)) return;
  const ports = new Ports(store, dryRun);
  const own = new Set(nodePortsOf(objectAt(old, "spec")));
  const given = new Set<string>();
  for (const [index, port] of draftsIn(spec["ports"]).entries()) {
    const asked = numberAt(port, "nodePort");
    if (asked === 0 && !needsNodePorts(spec)) continue;
    if (asked === 0) port["nodePort"] = ports.next("nodePort");
    else if (!own.has(asked)) takeAt(draft, ports, index, asked);
    own.add(asked);
    const key = `${textAt(port, "protocol")} ${numberAt(port, "nodePort")}`;
    if (given.has(key)) throw new ApiFailure(500, "", `duplicate nodePort: {${key}}`);
    given.add(key);
  }
  if (!needsHealthCheck(objectAt(old, "spec"))) allocateHealthCheck(spec, ports);
}

function allocateHealthCheck(spec: Draft, ports: Ports): void {
  if (!needsHealthCheck(spec)) return;
  const asked = numberAt(spec, "healthCheckNodePort");
  if (asked === 0) {
    spec["healthCheckNodePort"] = ports.next("HealthCheck NodePort 0");
    return;
  }
  const problem = ports.take(asked);
  if (problem !== undefined)
    throw internalError(`failed to allocate requested HealthCheck NodePort ${asked}: ${problem}`);
}

/** Restores node ports that the client left out, by port name. */
export function keepPorts(spec: Draft, before: JsonObject): void {
  if (needsNodePorts(spec) && needsNodePorts(before)) {
    const known = new Map(portsOf(before).map((port) => [textAt(port, "name"), numberAt(port, "nodePort")]));
    const named = new Set(nodePortsOf(spec));
    for (const port of draftsIn(spec["ports"])) {
      const earlier = known.get(textAt(port, "name")) ?? 0;
      if (numberAt(port, "nodePort") === 0 && earlier !== 0 && !named.has(earlier)) port["nodePort"] = earlier;
    }
  }
  if (needsHealthCheck(spec) && needsHealthCheck(before) && numberAt(spec, "healthCheckNodePort") === 0)
    spec["healthCheckNodePort"] = numberAt(before, "healthCheckNodePort");
}
