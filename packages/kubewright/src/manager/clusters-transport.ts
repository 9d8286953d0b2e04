import { OperatorError } from "@kubewright/core/errors";
import {
  type Transport,
  type TransportConnection,
  type TransportRequest,
  type TransportResponse,
  type TransportStream,
  type TransportUpgrade,
  upgrade,
} from "@kubewright/core/transport";

/** The path prefix of a request to another cluster. */
const prefix = "/clusters/";

/**
 * One transport to several API servers: the path of a request for a kind of {@link ofCluster} has the cluster's name as prefix, which is removed
 * and selects the transport; all others go to the operator's own cluster.
 *
 * Rejects with CONFIG_INVALID for an unknown name. Does not close the transports.
 */
export class ClustersTransport implements Transport {
  readonly #home: Transport;
  readonly #clusters: ReadonlyMap<string, Transport>;

  constructor(home: Transport, clusters: ReadonlyMap<string, Transport>) {
    this.#home = home;
    this.#clusters = clusters;
  }

  send(request: TransportRequest): Promise<TransportResponse> {
    // The fast path of nearly all requests.
    return request.path.startsWith(prefix) ? this.#sendAway(request) : this.#home.send(request);
  }

  async stream(request: TransportRequest): Promise<TransportStream> {
    const [transport, own] = this.#route(request);
    return transport.stream(own);
  }

  async connect(request: TransportUpgrade): Promise<TransportConnection> {
    const [transport, own] = this.#route(request);
    return upgrade(transport, own);
  }

  async close(): Promise<void> {}

  async #sendAway(request: TransportRequest): Promise<TransportResponse> {
    const [transport, own] = this.#route(request);
    return transport.send(own);
  }

  #route<R extends TransportRequest | TransportUpgrade>(request: R): [Transport, R] {
    if (!request.path.startsWith(prefix)) return [this.#home, request];
    const [, name, path] = /^\/clusters\/([^/]+)(\/.*)$/.exec(request.path) ?? [];
    if (name === undefined || path === undefined) return [this.#home, request];
    const transport = this.#clusters.get(name);
    if (transport === undefined) throw unknownCluster(name);
    return [transport, { ...request, path }];
  }
}

/** The error for a cluster that the operator was not started with. */
export function unknownCluster(name: string): OperatorError {
  return new OperatorError(
    "CONFIG_INVALID",
    `Cannot reach cluster "${name}": the operator was not started with it; give it in \`clusters\``,
  );
}
