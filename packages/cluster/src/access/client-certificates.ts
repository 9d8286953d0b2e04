import type { Authentication, Authenticator, CertificateSubject } from "./authenticator.js";
import { authenticatedUser } from "./user.js";

/** The users of known certificates: what is cached by user then holds for all requests of a connection. */
const users = new WeakMap<CertificateSubject, Authentication>();

/** Authenticates client certificates: the common name is the user, the organizations are its groups. */
export const clientCertificates: Authenticator = {
  authenticate({ certificate }) {
    if (certificate === undefined || certificate.commonName === "") return { kind: "none" };
    let known = users.get(certificate);
    if (known === undefined) {
      const { commonName, organizations, fingerprint } = certificate;
      const extra = { "authentication.kubernetes.io/credential-id": [`X509SHA256=${fingerprint}`] };
      known = { kind: "user", user: authenticatedUser(commonName, organizations, { extra }) };
      users.set(certificate, known);
    }
    return known;
  },
};
