import type { TransportRequest } from "@kubewright/core/transport";
import type { Credential } from "./credential.js";
import { type Impersonation, impersonationHeaders } from "./impersonation.js";
import { userAgentOf } from "./user-agent.js";

/** What stands in every request. */
export interface RequestHeaderOptions {
  readonly userAgent: string;
  readonly impersonate: Impersonation | undefined;
  /** Asks for gzip. */
  readonly compression: boolean;
}

/**
 * The headers of requests.
 *
 * A request's own headers win, also over the credential and the impersonation. Values are checked by undici, which refuses line breaks,
 * and names too: no header can be smuggled in.
 */
export class RequestHeaders {
  readonly compression: boolean;
  readonly #impersonation: readonly string[];
  #program: string;
  #userAgent: string;

  constructor({ userAgent, impersonate, compression }: RequestHeaderOptions) {
    this.compression = compression;
    this.#program = userAgent;
    this.#userAgent = userAgentOf(userAgent);
    this.#impersonation = impersonate ? impersonationHeaders(impersonate) : [];
  }

  /** Names and values in turn, which undici takes without looking through an object. */
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

  /** A client names itself with every request, and always the same: the last form is kept. */
  #agentOf(program: string | undefined): string {
    if (program !== undefined && program !== this.#program) {
      this.#program = program;
      this.#userAgent = userAgentOf(program);
    }
    return this.#userAgent;
  }
}
