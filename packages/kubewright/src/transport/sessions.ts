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

/** Connections to a server, opened with one credential. */
export interface Session extends Agents {
  readonly credential: Credential;
}

/** What sessions need beside the connection. */
export interface SessionSurroundings {
  readonly clock: Clock;
  readonly logger: Logger;
  /** How long a server may be silent in an ordinary answer, and before any answer. */
  readonly responseTimeoutMs: number;
  readonly execTimeoutMs: number;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly stdinIsTerminal: (() => boolean) | undefined;
}

type Opener = typeof import("./open-agents.js");

/**
 * The connections to one server, with the credential and the authority that hold now.
 *
 * When the client certificate or the authority changes, new requests go over new connections; what runs on the old ones may end.
 */
export class Sessions {
  readonly #connection: Connection;
  readonly #surroundings: SessionSurroundings;
  readonly #closing = new AbortController();
  readonly #retired = new Set<Agent>();
  readonly #ca: RotatingFile | undefined;
  readonly #credentials: CredentialSource;
  #opener: Opener | undefined;
  #session: Session | undefined;
  #sessionCa: string | undefined;

  constructor(connection: Connection, surroundings: SessionSurroundings) {
    const { caCertificate, caCertificateFile } = connection;
    const { clock } = surroundings;
    this.#connection = connection;
    this.#surroundings = surroundings;
    // Every request that waits listens to it.
    setMaxListeners(0, this.#closing.signal);
    this.#ca =
      caCertificateFile === undefined
        ? undefined
        : new RotatingFile(caCertificateFile, { what: "certificate authority", clock, text: caCertificate?.trim() });
    this.#credentials = openCredentials(connection, {
      ...surroundings,
      signal: this.#closing.signal,
      caCertificate: async () => this.#ca?.current() ?? caCertificate,
      openIssuer: async (url, ca) => (await import("./open-issuer.js")).openIssuer(connection, url, ca),
    });
  }

  /** Aborts when the sessions are closed. */
  get closing(): AbortSignal {
    return this.#closing.signal;
  }

  /** Without a promise while nothing has to be read, run or opened. */
  current(): Session | Promise<Session> {
    const ca = this.#ca === undefined ? this.#connection.caCertificate : this.#ca.current();
    const credential = this.#credentials.current();
    return this.#opener === undefined || ca instanceof Promise || credential instanceof Promise
      ? this.#later(ca, credential)
      : this.#with(this.#opener, ca, credential);
  }

  /** The server refused the session: resolves to whether another one can be tried. */
  async renew(refused: Session): Promise<boolean> {
    this.#ca?.suspect();
    const renewed = await this.#credentials.renew(refused.credential);
    return (await this.current()) !== refused || renewed;
  }

  /** The server's certificate was refused, so that no credential can help: resolves to whether another authority can be tried. */
  async renewAuthority(refused: Session): Promise<boolean> {
    this.#ca?.suspect();
    return (await this.current()) !== refused;
  }

  async close(): Promise<void> {
    this.#closing.abort(new OperatorError("TRANSPORT_FAILED", "Cannot go on: the transport was closed"));
    const open = [...this.#retired, ...(this.#session ? [this.#session.requests, this.#session.watches] : [])];
    this.#session = undefined;
    await Promise.all(open.map((agent) => agent.destroy()));
  }

  async #later(
    ca: string | undefined | Promise<string | undefined>,
    credential: Credential | Promise<Credential>,
  ): Promise<Session> {
    // Both are awaited together: neither may reject unheard.
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
    const { responseTimeoutMs } = this.#surroundings;
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
