import { Agent as HttpAgent, request as httpRequest, type IncomingMessage, type RequestOptions } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import type { Duplex, Readable } from "node:stream";
import type { CertificateAuthority } from "@kubewright/core/certificates";
import type { ConnectTarget } from "./connect-target.js";
import { dialError } from "./dial-error.js";

/** The user as whom the API server calls kubelets, as kubeadm sets it up: kubelets authorize it like any other. */
const clientName = { commonName: "kube-apiserver-kubelet-client", organization: "system:masters" };

/** How long the TCP connection may take, as in Go's default transport. */
const dialMs = 30_000;

/** Idle connections are closed after this time. */
const idleMs = 90_000;

/** A request to a {@link ConnectTarget}. */
export interface ForwardedRequest {
  readonly method: string;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  /** The client's body; undefined for none. */
  readonly body?: Readable | string | undefined;
  /** Destroys the connection. */
  readonly signal: AbortSignal | undefined;
}

/** The response of a target; with the connection if the target has switched the protocol. */
export interface ForwardedResponse {
  readonly message: IncomingMessage;
  readonly upgraded?: {
    readonly socket: Duplex;
    /** Bytes of the new protocol that came with the response. */
    readonly head: Buffer;
  };
}

/** Sends requests to kubelets, and to workloads behind the proxies of nodes, pods and Services. */
export class Forwarder {
  readonly #authority: () => CertificateAuthority;
  readonly #plain = new HttpAgent({ keepAlive: true, timeout: idleMs });
  #tls: Readonly<Record<ConnectTarget["peer"], HttpsAgent>> | undefined;

  constructor(authority: () => CertificateAuthority) {
    this.#authority = authority;
  }

  /**
   * Resolves with the head of the response. Rejects with an error with Go's message if the target cannot be reached, or shows a certificate that
   * is not the kubelet's.
   */
  send({ url, peer }: ConnectTarget, { method, headers, body, signal }: ForwardedRequest): Promise<ForwardedResponse> {
    return new Promise((resolve, reject) => {
      const isTls = url.startsWith("https:");
      const options = { method, headers, signal, agent: isTls ? this.#agents()[peer] : this.#plain } as RequestOptions;
      const request = isTls ? httpsRequest(url, options) : httpRequest(url, options);
      request.on("socket", (socket) => {
        if (!socket.connecting) return;
        const timer = setTimeout(() => request.destroy(Object.assign(new Error(), { code: "ETIMEDOUT" })), dialMs);
        socket.once("connect", () => clearTimeout(timer));
        socket.once("close", () => clearTimeout(timer));
      });
      request.on("response", (message) => resolve({ message }));
      request.on("upgrade", (message, socket, head) => resolve({ message, upgraded: { socket, head } }));
      request.on("error", (error) => reject(signal?.aborted === true ? error : dialError(error, url)));
      if (body === undefined || typeof body === "string") request.end(body);
      else {
        body.on("error", (error) => request.destroy(error));
        body.pipe(request);
      }
    });
  }

  /** Closes idle connections. */
  close(): void {
    this.#plain.destroy();
    for (const agent of Object.values(this.#tls ?? {})) agent.destroy();
  }

  /** Made on first use: most clusters have no kubelet, and the key pair costs time. */
  #agents(): Readonly<Record<ConnectTarget["peer"], HttpsAgent>> {
    if (this.#tls === undefined) {
      const authority = this.#authority();
      const { certificate, privateKey } = authority.issueClient(clientName);
      const shared = { keepAlive: true, timeout: idleMs };
      const asServer = { ...shared, cert: certificate, key: privateKey };
      this.#tls = {
        kubelet: new HttpsAgent({ ...asServer, ca: authority.certificate }),
        "unverified kubelet": new HttpsAgent({ ...asServer, rejectUnauthorized: false }),
        workload: new HttpsAgent({ ...shared, rejectUnauthorized: false }),
      };
    }
    return this.#tls;
  }
}
