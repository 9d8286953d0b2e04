import type { Authenticator } from "./authenticator.js";
import { authenticatedUser } from "./user.js";

/** Authenticates client certificates: the common name is the user, the organizations are its groups. */
export const clientCertificates: Authenticator = {
  authenticate({ certificate }) {
    if (certificate === undefined || certificate.commonName === "") return { kind: "none" };
    const { commonName, organizations, fingerprint } = certificate;
    const extra = { "authentication.kubernetes.io/credential-id": [`X509SHA256=${fingerprint}`] };
    return { kind: "user", user: authenticatedUser(commonName, organizations, { extra }) };
  },
};
