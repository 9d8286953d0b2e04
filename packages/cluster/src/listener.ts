import { randomBytes } from "node:crypto";
import { isIPv6 } from "node:net";
import type { Logger } from "@kubewright/core/log";
import { type Handler, HttpsServer, makeKubeconfig } from "./apiserver/index.js";
import { CertificateAuthority } from "./certificates/index.js";

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

/** Serves a handler over HTTPS, with an authority, a certificate and an administrator of its own. */
export async function startListener(
  handler: Handler,
  logger: Logger,
  { port = 0, host = "127.0.0.1" }: { readonly port?: number; readonly host?: string },
): Promise<Listener> {
  const authority = new CertificateAuthority("kubewright-ca");
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
  const { certificate, privateKey } = authority.issueServer("kube-apiserver", [...names]);
  const admin = authority.issueClient({ commonName: "admin", organization: "system:masters" });
  const adminToken = randomBytes(24).toString("base64url");
  const caCertificate = authority.certificate;
  const server = new HttpsServer({ handler, logger, certificate, privateKey, caCertificate, adminToken });
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
      clientCertificate: admin.certificate,
      clientKey: admin.privateKey,
    }),
    get active() {
      return server.active;
    },
    close: () => server.close(),
  };
}
