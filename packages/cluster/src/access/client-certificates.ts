import type { Authenticator } from "./authenticator.js";
import { authenticatedUser } from "./user.js";

/** Authenticates client certificates: the common name is the user, the organizations are its groups. */
export const clientCertificates: Authenticator = {
  authenticate({ certificate }) {
    if (certificate === undefined || certificate.commonName === "") return { kind: "none" };
    return { kind: "user", user: authenticatedUser(certificate.commonName, certificate.organizations) };
  },
};
