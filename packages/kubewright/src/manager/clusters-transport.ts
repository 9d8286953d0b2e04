import { OperatorError } from "@kubewright/core/errors";
import type { Transport, TransportRequest, TransportResponse, TransportStream } from "@kubewright/core/transport";

/** What the path of a request to another cluster begins with. */
const prefix = "/clusters/";

/**
 * One transport to several API servers: requests for kinds of {@link ofCluster} carry their cluster's name at the beginning of the path, and go
 * to that cluster's transport without it; all others go home.
 *
 * Rejects with CONFIG_INVALID for a name that is not known. Does not close what it was given.
 */
export class ClustersTransport implements Transport {
  readonly #home: Transport;
  readonly #clusters: ReadonlyMap<string, Transport>;

  constructor(home: Transport, clusters: ReadonlyMap<string, Transport>) {
    this.#home = home;
    this.#clusters = clusters;
  }

  send(request: TransportRequest): Promise<TransportResponse> {
    // Nearly all requests: nothing stands between them and their transport.
    return request.path.startsWith(prefix) ? this.#sendAway(request) : this.#home.send(request);
  }

  async stream(request: TransportRequest): Promise<TransportStream> {
    const [transport, own] = this.#route(request);
    return transport.stream(own);
  }

  async close(): Promise<void> {}

  async #sendAway(request: TransportRequest): Promise<TransportResponse> {
    const [transport, own] = this.#route(request);
    return transport.send(own);
  }

  #route(request: TransportRequest): [Transport, TransportRequest] {
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
