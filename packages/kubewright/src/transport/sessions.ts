import type { Clock } from "@kubewright/core/clock";
import { OperatorError } from "@kubewright/core/errors";
import type { Logger } from "@kubewright/core/log";
import type { Agent, Dispatcher } from "undici";
import { chooseProxy } from "./choose-proxy.js";
import type { Connection } from "./connection.js";
import type { Credential, CredentialSource } from "./credential.js";
import { checkClientCertificate } from "./file-credentials.js";
import { openCredentials } from "./open-credentials.js";
import { proxyConnector } from "./proxy-tunnel.js";
import { RotatingFile } from "./rotating-file.js";

/** An answer larger than this is refused: no page of a list comes near it. */
const maxResponseBytes = 512 * 1024 * 1024;
/** API servers keep idle connections for a minute and a half; below that, a request never meets one that is being closed. */
const keepAliveMs = 60_000;

/** Connections to a server, opened with one credential. */
export interface Session {
  readonly credential: Credential;
  readonly requests: Agent;
  /** Watches have connections of their own, so that they never take those of ordinary requests. */
  readonly watches: Agent;
}

/** What sessions need beside the connection. */
export interface SessionSurroundings {
  readonly clock: Clock;
  readonly logger: Logger;
  /** How long a server may be silent in an ordinary answer, and before any answer. */
  readonly responseTimeoutMs: number;
  readonly execTimeoutMs: number;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly stdinIsTerminal: () => boolean;
}

type Undici = typeof import("undici");

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
  #undici: Undici | undefined;
  #session: Session | undefined;
  #sessionCa: string | undefined;

  constructor(connection: Connection, surroundings: SessionSurroundings) {
    const { caCertificate, caCertificateFile } = connection;
    const { clock } = surroundings;
    this.#connection = connection;
    this.#surroundings = surroundings;
    this.#ca =
      caCertificateFile === undefined
        ? undefined
        : new RotatingFile(caCertificateFile, { what: "certificate authority", clock, text: caCertificate?.trim() });
    this.#credentials = openCredentials(connection, {
      ...surroundings,
      signal: this.#closing.signal,
      caCertificate: async () => this.#ca?.current() ?? caCertificate,
      openIssuer: (url, ca) => this.#openIssuer(url, ca),
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
    return this.#undici === undefined || ca instanceof Promise || credential instanceof Promise
      ? this.#later(ca, credential)
      : this.#with(this.#undici, ca, credential);
  }

  /** The server refused the session, or the session the server: resolves to whether another one can be tried. */
  async renew(refused: Session): Promise<boolean> {
    this.#ca?.suspect();
    const renewed = await this.#credentials.renew(refused.credential);
    return (await this.current()) !== refused || renewed;
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
    this.#undici ??= await import("undici");
    return this.#with(this.#undici, readCa, readCredential);
  }

  #with(undici: Undici, ca: string | undefined, credential: Credential): Session {
    this.#closing.signal.throwIfAborted();
    const old = this.#session;
    if (old !== undefined && this.#sessionCa === ca) {
      if (old.credential === credential) return old;
      if (sameCertificate(old.credential, credential)) {
        this.#session = { ...old, credential };
        return this.#session;
      }
    }
    const session = { credential, ...this.#openAgents(undici, ca, credential) };
    this.#session = session;
    this.#sessionCa = ca;
    if (old !== undefined) this.#retire(old);
    return session;
  }

  #openAgents(undici: Undici, ca: string | undefined, { clientCertificate }: Credential): Omit<Session, "credential"> {
    const { insecureSkipTlsVerify = false, tlsServerName, server } = this.#connection;
    const { responseTimeoutMs } = this.#surroundings;
    checkAuthority(ca, insecureSkipTlsVerify);
    if (clientCertificate) checkClientCertificate(clientCertificate);
    const connect = this.#connector(undici, server, {
      ca,
      rejectUnauthorized: !insecureSkipTlsVerify,
      ...(tlsServerName !== undefined && { servername: tlsServerName }),
      ...(clientCertificate && { cert: clientCertificate.certificate, key: clientCertificate.key }),
    });
    // Silence is measured by undici in real time, not by the clock: the server lives in real time, whatever a test does with its own.
    const common = { connect, headersTimeout: responseTimeoutMs, keepAliveTimeout: keepAliveMs };
    return {
      requests: new undici.Agent({
        ...common,
        connections: 64,
        bodyTimeout: responseTimeoutMs,
        maxResponseSize: maxResponseBytes,
      }),
      // A watch is silent between events for as long as its own timeout: who watches decides when silence is too long.
      watches: new undici.Agent({ ...common, bodyTimeout: 0, pipelining: 0 }),
    };
  }

  #connector(
    undici: Undici,
    target: string,
    {
      ca,
      ...tls
    }: { ca: string | undefined; rejectUnauthorized: boolean; servername?: string; cert?: string; key?: string },
  ): ReturnType<Undici["buildConnector"]> {
    const direct = undici.buildConnector({ keepAliveInitialDelay: 30_000, ...tls, ...(ca !== undefined && { ca }) });
    const proxy = chooseProxy(new URL(target), this.#connection);
    if (proxy === undefined) return direct;
    return proxyConnector(proxy, { caCertificate: ca, rejectUnauthorized: tls.rejectUnauthorized }, direct);
  }

  async #openIssuer(issuerUrl: string, ca: string | undefined): Promise<Dispatcher> {
    this.#undici ??= await import("undici");
    const { environmentProxy } = this.#connection;
    const direct = this.#undici.buildConnector(ca === undefined ? {} : { ca });
    const proxy = chooseProxy(new URL(issuerUrl), environmentProxy ? { environmentProxy } : {});
    const connect =
      proxy === undefined ? direct : proxyConnector(proxy, { caCertificate: ca, rejectUnauthorized: true }, direct);
    return new this.#undici.Agent({ connect, headersTimeout: 30_000, bodyTimeout: 30_000 });
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

function checkAuthority(ca: string | undefined, insecure: boolean): void {
  if (ca === undefined) return;
  if (insecure) {
    throw new OperatorError(
      "CONFIG_INVALID",
      "Cannot connect: a certificate authority is given together with insecure-skip-tls-verify; remove one of them",
    );
  }
  // TLS would ignore it without a word, and then trust nobody.
  if (!ca.includes("-----BEGIN CERTIFICATE-----"))
    throw new OperatorError("CONFIG_INVALID", "Cannot connect: the certificate authority holds no PEM certificate");
}
