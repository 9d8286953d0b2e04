import type { TransportRequest } from "@kubewright/core/transport";
import type { Credential } from "./credential.js";
import { type Impersonation, impersonationHeaders } from "./impersonation.js";
import { userAgentOf } from "./user-agent.js";

/** Options of {@link RequestHeaders}. */
export interface RequestHeaderOptions {
  readonly userAgent: string;
  readonly impersonate: Impersonation | undefined;
  /** Whether to accept gzip. */
  readonly compression: boolean;
}

/**
 * Builds the headers of requests.
 *
 * A request's own headers take precedence, also over the credential and the impersonation. Undici validates names and values, which prevents
 * header injection.
 */
export class RequestHeaders {
  readonly compression: boolean;
  readonly #impersonation: readonly string[];
  #client: string;
  #userAgent: string;

  constructor({ userAgent, impersonate, compression }: RequestHeaderOptions) {
    this.compression = compression;
    this.#client = userAgent;
    this.#userAgent = userAgentOf(userAgent);
    this.#impersonation = impersonate ? impersonationHeaders(impersonate) : [];
  }

  /** Returns names and values in turn, the format that undici processes fastest. */
  of({ headers, body }: TransportRequest, { authorization }: Credential, compression: boolean): string[] {
    const own = headers ?? {};
    const list = ["user-agent", this.#agentOf(own["user-agent"])];
    for (const name of Object.keys(own)) if (name !== "user-agent") list.push(name, own[name] ?? "");
    if (own["accept"] === undefined) list.push("accept", "application/json");
    if (compression && own["accept-encoding"] === undefined) list.push("accept-encoding", "gzip");
    if (body !== undefined && own["content-type"] === undefined) list.push("content-type", "application/json");
    if (authorization !== undefined && own["authorization"] === undefined) list.push("authorization", authorization);
    if (this.#impersonation.length > 0 && own["impersonate-user"] === undefined) list.push(...this.#impersonation);
    return list;
  }

  /** Caches the last user agent: a client sends the same one with every request. */
  #agentOf(client: string | undefined): string {
    if (client !== undefined && client !== this.#client) {
      this.#client = client;
      this.#userAgent = userAgentOf(client);
    }
    return this.#userAgent;
  }
}
