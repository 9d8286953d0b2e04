import { randomBytes } from "node:crypto";
import { isIPv6 } from "node:net";
import type { CertificateAuthority } from "@kubewright/core/certificates";
import type { Logger } from "@kubewright/core/log";
import { type AccessControl, administrator, staticToken } from "./access/index.js";
import { type Handler, HttpsServer, makeKubeconfig } from "./apiserver/index.js";
import type { TextStore } from "./cluster-authority.js";

/** Where a listening cluster can be reached. */
export interface Listening {
  /** For instance `https://127.0.0.1:6443`. */
  readonly url: string;
  /** The text of a kubeconfig file for an administrator. */
  readonly kubeconfig: string;
  /** PEM. */
  readonly caCertificate: string;
  readonly adminToken: string;
  /** Ends open requests and frees the port. */
  close(): Promise<void>;
}

/** A {@link Listening} that also tells whether requests are under way. */
export interface Listener extends Listening {
  readonly active: number;
}

/** What a listener shows to clients and takes from them. */
interface Credentials {
  readonly hosts: readonly string[];
  /** PEM, all of them. */
  readonly caCertificate: string;
  readonly certificate: string;
  readonly privateKey: string;
  readonly adminCertificate: string;
  readonly adminKey: string;
  readonly adminToken: string;
}

/** What a listener needs of its cluster. */
export interface ListenerParts {
  readonly handler: Handler;
  readonly access: AccessControl;
  readonly logger: Logger;
  /** Signs its certificate and that of the administrator. */
  readonly authority: CertificateAuthority;
  /** Where both are kept, so that a kubeconfig holds across restarts. @default nowhere */
  readonly kept?: TextStore | undefined;
}

/** Serves a handler over HTTPS, with a certificate and an administrator of its own. */
export async function startListener(
  { handler, access, logger, authority, kept }: ListenerParts,
  { port = 0, host = "127.0.0.1" }: { readonly port?: number; readonly host?: string },
): Promise<Listener> {
  const credentials = credentialsFor(host, authority, kept);
  const { caCertificate, certificate, privateKey, adminToken } = credentials;
  const server = new HttpsServer({ handler, logger, certificate, privateKey, caCertificate, access });
  const removeToken = access.add(staticToken(adminToken, administrator));
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

function credentialsFor(host: string, authority: CertificateAuthority, kept: TextStore | undefined): Credentials {
  const names = new Set([
    "localhost",
    "127.0.0.1",
    "::1",
    "kubernetes",
    "kubernetes.default",
    "kubernetes.default.svc",
    host,
  ]);
  names.delete("0.0.0.0");
  names.delete("::");
  const hosts = [...names];
  const known = kept && readCredentials(kept.readText(credentialsFile));
  const isOurs = known?.caCertificate === authority.certificate;
  if (known && isOurs && hosts.every((one) => known.hosts.includes(one))) return known;
  const server = authority.issueServer("kube-apiserver", hosts);
  const admin = authority.issueClient({ commonName: "admin", organization: "system:masters" });
  const made: Credentials = {
    hosts,
    caCertificate: authority.certificate,
    certificate: server.certificate,
    privateKey: server.privateKey,
    adminCertificate: admin.certificate,
    adminKey: admin.privateKey,
    adminToken: randomBytes(24).toString("base64url"),
  };
  kept?.writeText(credentialsFile, `${JSON.stringify(made)}\n`);
  return made;
}

/** Undefined for what is not whole: then new ones are made. */
function readCredentials(text: string | undefined): Credentials | undefined {
  if (text === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    const { hosts, ...texts } = Object(value) as Partial<Credentials>;
    const names = ["caCertificate", "certificate", "privateKey", "adminCertificate", "adminKey", "adminToken"] as const;
    return Array.isArray(hosts) && names.every((name) => typeof texts[name] === "string")
      ? (value as Credentials)
      : undefined;
  } catch {
    return undefined;
  }
}
