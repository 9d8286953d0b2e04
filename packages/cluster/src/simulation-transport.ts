import type { Transport, TransportRequest, TransportResponse, TransportStream } from "@kubewright/core/transport";
import type { WorkloadSwitch } from "./workload-switch.js";

/** Workloads install the CRD of PodStage. */
const simulationPaths = "/apis/simulation.kubewright.dev/";

/** Starts workloads that start when needed before a request for a PodStage, which would otherwise get a 404. */
export class SimulationTransport implements Transport {
  readonly #inner: Transport;
  readonly #workloads: WorkloadSwitch;

  constructor(inner: Transport, workloads: WorkloadSwitch) {
    this.#inner = inner;
    this.#workloads = workloads;
  }

  // Not async: all other requests pass without another promise.
  send(request: TransportRequest): Promise<TransportResponse> {
    if (!request.path.startsWith(simulationPaths)) return this.#inner.send(request);
    return this.#workloads.ensureStarted().then(() => this.#inner.send(request));
  }

  stream(request: TransportRequest): Promise<TransportStream> {
    if (!request.path.startsWith(simulationPaths)) return this.#inner.stream(request);
    return this.#workloads.ensureStarted().then(() => this.#inner.stream(request));
  }

  close(): Promise<void> {
    return this.#inner.close();
  }
}
