import { setMaxListeners } from "node:events";
import type { Clock } from "@kubewright/core/clock";
import { OperatorError } from "@kubewright/core/errors";
import type { Logger } from "@kubewright/core/log";
import type { Agent } from "undici";
import type { Connection } from "./connection.js";
import type { Credential, CredentialSource } from "./credential.js";
import type { Agents } from "./open-agents.js";
import { openCredentials } from "./open-credentials.js";
import { RotatingFile } from "./rotating-file.js";

/** Connections to a server that use one credential. */
export interface Session extends Agents {
  readonly credential: Credential;
}

/** Dependencies of {@link Sessions}. */
export interface SessionDependencies {
  readonly clock: Clock;
  readonly logger: Logger;
  /** Timeout for response headers, and between chunks of a response that is not a watch. */
  readonly responseTimeoutMs: number;
  readonly execTimeoutMs: number;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly stdinIsTerminal: (() => boolean) | undefined;
}

type Opener = typeof import("./open-agents.js");

/**
 * Connections to one server, with the current credential and CA.
 *
 * When the client certificate or the CA changes, new requests use new connections; requests on the old connections run to completion.
 */
export class Sessions {
  readonly #connection: Connection;
  readonly #dependencies: SessionDependencies;
  readonly #closing = new AbortController();
  readonly #retired = new Set<Agent>();
  readonly #ca: RotatingFile | undefined;
  readonly #credentials: CredentialSource;
  #opener: Opener | undefined;
  #session: Session | undefined;
  #sessionCa: string | undefined;

  constructor(connection: Connection, dependencies: SessionDependencies) {
    const { caCertificate, caCertificateFile } = connection;
    const { clock } = dependencies;
    this.#connection = connection;
    this.#dependencies = dependencies;
    // Every waiting request adds a listener.
    setMaxListeners(0, this.#closing.signal);
    this.#ca =
      caCertificateFile === undefined
        ? undefined
        : new RotatingFile(caCertificateFile, { what: "certificate authority", clock, text: caCertificate?.trim() });
    this.#credentials = openCredentials(connection, {
      ...dependencies,
      signal: this.#closing.signal,
      caCertificate: async () => this.#ca?.current() ?? caCertificate,
      openIssuer: async (url, ca) => (await import("./open-issuer.js")).openIssuer(connection, url, ca),
    });
  }

  /** Aborts when the sessions are closed. */
  get closing(): AbortSignal {
    return this.#closing.signal;
  }

  /** Returns synchronously unless something must be read, run or loaded. */
  current(): Session | Promise<Session> {
    const ca = this.#ca === undefined ? this.#connection.caCertificate : this.#ca.current();
    const credential = this.#credentials.current();
    return this.#opener === undefined || ca instanceof Promise || credential instanceof Promise
      ? this.#later(ca, credential)
      : this.#with(this.#opener, ca, credential);
  }

  /** The server rejected the session: resolves to whether a different one is available. */
  async renew(rejected: Session): Promise<boolean> {
    this.#ca?.invalidate();
    const renewed = await this.#credentials.renew(rejected.credential);
    return (await this.current()) !== rejected || renewed;
  }

  /** The server's certificate was rejected, so only a new CA can help: resolves to whether one is available. */
  async renewAuthority(rejected: Session): Promise<boolean> {
    this.#ca?.invalidate();
    return (await this.current()) !== rejected;
  }

  async close(): Promise<void> {
    this.#closing.abort(new OperatorError("TRANSPORT_FAILED", "Cannot send the request: the transport was closed"));
    const open = [...this.#retired, ...(this.#session ? [this.#session.requests, this.#session.watches] : [])];
    this.#session = undefined;
    await Promise.all(open.map((agent) => agent.destroy()));
  }

  async #later(
    ca: string | undefined | Promise<string | undefined>,
    credential: Credential | Promise<Credential>,
  ): Promise<Session> {
    // Awaited together, to avoid an unhandled rejection of either.
    const [readCa, readCredential] = await Promise.all([ca, credential]);
    this.#opener ??= await import("./open-agents.js");
    return this.#with(this.#opener, readCa, readCredential);
  }

  #with(opener: Opener, ca: string | undefined, credential: Credential): Session {
    this.#closing.signal.throwIfAborted();
    const old = this.#session;
    if (old !== undefined && this.#sessionCa === ca) {
      if (old.credential === credential) return old;
      if (sameCertificate(old.credential, credential)) {
        this.#session = { ...old, credential };
        return this.#session;
      }
    }
    const { responseTimeoutMs } = this.#dependencies;
    const session = { credential, ...opener.openAgents(this.#connection, { ca, credential, responseTimeoutMs }) };
    this.#session = session;
    this.#sessionCa = ca;
    if (old !== undefined) this.#retire(old);
    return session;
  }

  #retire({ requests, watches }: Session): void {
    for (const agent of [requests, watches]) {
      this.#retired.add(agent);
      const forget = (): void => void this.#retired.delete(agent);
      agent.close().then(forget, forget);
    }
  }
}

function sameCertificate(one: Credential, other: Credential): boolean {
  return (
    one.clientCertificate?.certificate === other.clientCertificate?.certificate &&
    one.clientCertificate?.key === other.clientCertificate?.key
  );
}
