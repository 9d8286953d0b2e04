import type { TLSSocket } from "node:tls";
import type { CertificateSubject, Credentials } from "../access/index.js";

/** Cached, because reading the certificate of a connection takes longer than many requests. */
const subjects = new WeakMap<TLSSocket, CertificateSubject | "none">();

/** The credentials of a request: its bearer token, and the client certificate of its connection. */
export function credentialsOf(authorization: string | undefined, socket: TLSSocket): Credentials {
  let subject = subjects.get(socket);
  if (subject === undefined) {
    subject = readSubject(socket) ?? "none";
    subjects.set(socket, subject);
  }
  return {
    bearerToken: authorization === undefined ? undefined : /^\s*bearer ([^ ]+)/i.exec(authorization)?.[1],
    certificate: subject === "none" ? undefined : subject,
  };
}

/** Only certificates signed by the cluster's CA count as authorized. */
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
