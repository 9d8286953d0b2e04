import type { TLSSocket } from "node:tls";
import type { CertificateSubject, Credentials } from "../access/index.js";

/** The certificate of a connection never changes, and reading it takes longer than many requests. */
const subjects = new WeakMap<TLSSocket, CertificateSubject | "none">();

/** What a client presents with a request: a bearer token, and the certificate of its connection. */
export function credentialsOf(authorization: string | undefined, socket: TLSSocket): Credentials {
  let subject = subjects.get(socket);
  if (subject === undefined) {
    subject = readSubject(socket) ?? "none";
    subjects.set(socket, subject);
  }
  return {
    bearerToken: authorization === undefined ? undefined : /^bearer\s+(.+)$/i.exec(authorization)?.[1]?.trim(),
    certificate: subject === "none" ? undefined : subject,
  };
}

/** Only certificates that the cluster's own authority signed count as authorized. */
function readSubject(socket: TLSSocket): CertificateSubject | undefined {
  if (!socket.authorized) return undefined;
  const { subject, fingerprint256 = "" } = socket.getPeerCertificate();
  const names: string | string[] | undefined = subject?.CN;
  const organizations: string | string[] | undefined = subject?.O;
  return {
    commonName: (Array.isArray(names) ? names[0] : names) ?? "",
    organizations: organizations === undefined ? [] : [organizations].flat(),
    fingerprint: fingerprint256.replaceAll(":", "").toLowerCase(),
  };
}
