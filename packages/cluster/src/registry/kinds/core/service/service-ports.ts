import { invalid as invalidField } from "@kubewright/core/schema";
import type { Service, ServiceSpec } from "kubewright/k8s/core/v1";
import type { Store } from "../../../../storage/index.js";
import { ApiFailure, internalError, invalid } from "../../../api-failure.js";
import type { Decoded, Drafted } from "../../../decoded.js";
import { childDraft } from "../../../draft.js";
import { needsHealthCheck } from "./check-service.js";

const subject = { group: "", kind: "Service" };
const range = { first: 30_000, last: 32_767, firstFree: 30_086 };

/** The specs of all Services. */
export function storedServiceSpecs(store: Store): Decoded<ServiceSpec>[] {
  // The store holds only decoded objects.
  return store
    .bucket("services")
    .list()
    .map(({ object }) => (object as Decoded<Service>).spec ?? {});
}

/** The node ports of a Service. */
export function nodePortsOf({ ports = [] }: Decoded<ServiceSpec>): number[] {
  return ports.flatMap(({ nodePort }) => nodePort || []);
}

/** Allocates node ports for one request. The stored Services record the allocations. */
class PortAllocator {
  readonly #store: Store;
  readonly #dryRun: boolean;
  readonly #own: number[] = [];
  #taken: Set<number> | undefined;

  constructor(store: Store, dryRun: boolean) {
    this.#store = store;
    this.#dryRun = dryRun;
  }

  /** Allocates this port, or returns the error. A dry run checks only that the port is free. */
  allocate(port: number): string | undefined {
    if (!this.#dryRun && (port < range.first || port > range.last))
      return `provided port is not in the valid range. The range of valid ports is ${range.first}-${range.last}`;
    if (this.#isTaken(port)) return "provided port is already allocated";
    this.#own.push(port);
    return undefined;
  }

  /** Allocates the lowest free port of the dynamic band, else of the static band. `what` is for the error message. */
  allocateNext(what: string): number {
    const port = this.#dryRun ? this.#dummy() : this.#free();
    if (port === undefined) throw internalError(`failed to allocate a ${what}: range is full`);
    this.#own.push(port);
    return port;
  }

  /** In a dry run kube-apiserver counts up from the highest port that the request uses. */
  #dummy(): number {
    return (this.#own.length === 0 ? range.last + 1 : Math.max(0, ...this.#own)) + 1;
  }

  #free(): number | undefined {
    for (let port = range.firstFree; port <= range.last; port++) if (!this.#isTaken(port)) return port;
    for (let port = range.first; port < range.firstFree; port++) if (!this.#isTaken(port)) return port;
    return undefined;
  }

  #isTaken(port: number): boolean {
    // Lazy: it reads every Service.
    this.#taken ??= takenPorts(this.#store);
    return this.#taken.has(port) || this.#own.includes(port);
  }
}

function takenPorts(store: Store): Set<number> {
  const taken = new Set<number>();
  for (const spec of storedServiceSpecs(store))
    for (const port of [...nodePortsOf(spec), spec.healthCheckNodePort ?? 0]) taken.add(port);
  return taken;
}

/** Whether a Service may have node ports. */
export function hasNodePorts({ type }: Decoded<ServiceSpec>): boolean {
  return type === "NodePort" || type === "LoadBalancer";
}

function needsNodePorts({ type, allocateLoadBalancerNodePorts }: Decoded<ServiceSpec>): boolean {
  return type === "NodePort" || (type === "LoadBalancer" && allocateLoadBalancerNodePorts !== false);
}

function allocateAt(draft: Drafted<Service>, ports: PortAllocator, index: number, port: number): void {
  const problem = ports.allocate(port);
  if (problem === undefined) return;
  const error = invalidField(`spec.ports[${index}].nodePort`, port, problem);
  throw invalid(subject, draft.metadata?.name ?? "", [error]);
}

/** Allocates the node ports of a new Service. Entries with the same port number and different protocols share a node port. */
export function allocateNewPorts(draft: Drafted<Service>, store: Store, dryRun: boolean): void {
  const spec = childDraft(draft, "spec");
  if (!hasNodePorts(spec)) return;
  const ports = new PortAllocator(store, dryRun);
  const shared = new Map<number, number>();
  for (const [index, port] of (spec.ports ?? []).entries()) {
    const requested = port.nodePort ?? 0;
    if (requested === 0 && !needsNodePorts(spec)) continue;
    const number = port.port ?? 0;
    const known = shared.get(number);
    if (known === undefined) {
      // An earlier entry also uses the node port that a later entry with the same port number requests.
      const shareable = spec.ports?.find((one) => one.port === number && one.nodePort)?.nodePort;
      if (shareable) allocateAt(draft, ports, index, shareable);
      port.nodePort = shareable ?? ports.allocateNext("nodePort");
      shared.set(number, port.nodePort);
    } else if (requested === 0) port.nodePort = known;
    else if (requested !== known) allocateAt(draft, ports, index, requested);
  }
  allocateHealthCheck(spec, ports);
}

/** Allocates the node ports of an updated Service, which keeps its current ones. */
export function allocateChangedPorts(
  draft: Drafted<Service>,
  old: Decoded<Service>,
  store: Store,
  dryRun: boolean,
): void {
  const spec = childDraft(draft, "spec");
  if (!hasNodePorts(spec)) return;
  const ports = new PortAllocator(store, dryRun);
  const own = new Set(nodePortsOf(old.spec ?? {}));
  const given = new Set<string>();
  for (const [index, port] of (spec.ports ?? []).entries()) {
    const requested = port.nodePort ?? 0;
    if (requested === 0 && !needsNodePorts(spec)) continue;
    if (requested === 0) port.nodePort = ports.allocateNext("nodePort");
    else if (!own.has(requested)) allocateAt(draft, ports, index, requested);
    own.add(requested);
    const key = `${port.protocol} ${port.nodePort}`;
    if (given.has(key)) throw new ApiFailure(500, "", `duplicate nodePort: {${key}}`);
    given.add(key);
  }
  if (!needsHealthCheck(old.spec ?? {})) allocateHealthCheck(spec, ports);
}

function allocateHealthCheck(spec: Drafted<ServiceSpec>, ports: PortAllocator): void {
  if (!needsHealthCheck(spec)) return;
  const { healthCheckNodePort: requested } = spec;
  if (!requested) {
    spec.healthCheckNodePort = ports.allocateNext("HealthCheck NodePort 0");
    return;
  }
  const problem = ports.allocate(requested);
  if (problem !== undefined)
    throw internalError(`failed to allocate requested HealthCheck NodePort ${requested}: ${problem}`);
}

/** Restores node ports that the client omitted, by port name. */
export function keepPorts(spec: Drafted<ServiceSpec>, before: Decoded<ServiceSpec>): void {
  if (needsNodePorts(spec) && needsNodePorts(before)) {
    const known = new Map(before.ports?.map(({ name = "", nodePort }) => [name, nodePort]));
    const requested = new Set(nodePortsOf(spec));
    for (const port of spec.ports ?? []) {
      const earlier = known.get(port.name ?? "");
      if (earlier && !requested.has(earlier)) port.nodePort ||= earlier;
    }
  }
  if (needsHealthCheck(spec) && needsHealthCheck(before)) spec.healthCheckNodePort ||= before.healthCheckNodePort ?? 0;
}
