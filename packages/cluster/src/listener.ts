import { randomBytes } from "node:crypto";
import { isIPv6 } from "node:net";
import type { CertificateAuthority } from "@kubewright/core/certificates";
import type { Logger } from "@kubewright/core/log";
import { type AccessControl, administrator, staticTokens } from "./access/index.js";
import { type Handler, HttpsServer, makeKubeconfig } from "./apiserver/index.js";
import type { TextStore } from "./cluster-authority.js";

/** Where a cluster listens. */
export interface ListenOptions {
  /** @default a free one */
  readonly port?: number;
  /** @default "127.0.0.1" */
  readonly host?: string;
  /** More names and addresses by which clients reach it, for the serving certificate. @default none */
  readonly names?: readonly string[];
}

/** Address and credentials of a listening cluster. */
export interface Listening {
  /** For instance `https://127.0.0.1:6443`. */
  readonly url: string;
  /** Content of a kubeconfig file for the administrator. */
  readonly kubeconfig: string;
  /** PEM. */
  readonly caCertificate: string;
  readonly adminToken: string;
  /** Closes open requests and frees the port. */
  close(): Promise<void>;
}

/** A {@link Listening} that also counts the requests in flight. */
export interface Listener extends Listening {
  readonly active: number;
}

/** The certificates and the token of a listener. */
interface Credentials {
  readonly hosts: readonly string[];
  /** PEM, as are the other certificates and keys. */
  readonly caCertificate: string;
  readonly certificate: string;
  readonly privateKey: string;
  readonly adminCertificate: string;
  readonly adminKey: string;
  readonly adminToken: string;
}

/** Dependencies of {@link startListener}. */
export interface ListenerParts {
  readonly handler: Handler;
  readonly access: AccessControl;
  readonly logger: Logger;
  /** Signs the serving certificate and the administrator's client certificate. */
  readonly authority: CertificateAuthority;
  /** Persists both, so that a kubeconfig stays valid across restarts. @default not persisted */
  readonly kept?: TextStore | undefined;
}

/** Serves a handler over HTTPS, with its own serving certificate and administrator credentials. */
export async function startListener(
  { handler, access, logger, authority, kept }: ListenerParts,
  { port = 0, host = "127.0.0.1", names = [] }: ListenOptions,
): Promise<Listener> {
  const credentials = credentialsFor([host, ...names], authority, kept);
  const { caCertificate, certificate, privateKey, adminToken } = credentials;
  const server = new HttpsServer({ handler, logger, certificate, privateKey, caCertificate, access });
  const removeToken = access.add(staticTokens([[adminToken, administrator]]));
  const chosen = await server.listen(port, host);
  const reachable = host === "0.0.0.0" ? "127.0.0.1" : host === "::" ? "::1" : host;
  const url = `https://${isIPv6(reachable) ? `[${reachable}]` : reachable}:${chosen}`;
  return {
    url,
    caCertificate,
    adminToken,
    kubeconfig: makeKubeconfig({
      url,
      caCertificate,
      clientCertificate: credentials.adminCertificate,
      clientKey: credentials.adminKey,
    }),
    get active() {
      return server.active;
    },
    close() {
      removeToken();
      return server.close();
    },
  };
}

const credentialsFile = "credentials.json";

function credentialsFor(
  given: readonly string[],
  authority: CertificateAuthority,
  kept: TextStore | undefined,
): Credentials {
  const names = new Set([
    "localhost",
    "127.0.0.1",
    "::1",
    "kubernetes",
    "kubernetes.default",
    "kubernetes.default.svc",
    "kubernetes.default.svc.cluster.local",
    // Of the Service "kubernetes", by which pods reach the API server.
    "10.0.0.1",
    ...given,
  ]);
  names.delete("0.0.0.0");
  names.delete("::");
  const hosts = [...names];
  const known = kept && readCredentials(kept.readText(credentialsFile));
  const isOurs = known?.caCertificate === authority.certificate;
  if (known && isOurs && hosts.every((one) => known.hosts.includes(one))) return known;
  const server = authority.issueServer("kube-apiserver", hosts);
  // Another address needs another certificate; kubeconfigs that were written before stay valid.
  const made: Credentials = {
    ...(known && isOurs ? known : administratorOf(authority)),
    hosts,
    certificate: server.certificate,
    privateKey: server.privateKey,
  };
  kept?.writeText(credentialsFile, `${JSON.stringify(made)}\n`);
  return made;
}

function administratorOf(authority: CertificateAuthority): Omit<Credentials, "hosts" | "certificate" | "privateKey"> {
  const admin = authority.issueClient({ commonName: "admin", organization: "system:masters" });
  return {
    caCertificate: authority.certificate,
    adminCertificate: admin.certificate,
    adminKey: admin.privateKey,
    adminToken: randomBytes(24).toString("base64url"),
  };
}

/** Undefined if the stored credentials are missing or incomplete; new ones are then issued. */
function readCredentials(text: string | undefined): Credentials | undefined {
  if (text === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    const { hosts, ...strings } = Object(value) as Partial<Credentials>;
    const names = ["caCertificate", "certificate", "privateKey", "adminCertificate", "adminKey", "adminToken"] as const;
    return Array.isArray(hosts) && names.every((name) => typeof strings[name] === "string")
      ? (value as Credentials)
      : undefined;
  } catch {
    return undefined;
  }
}
