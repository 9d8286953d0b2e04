import type { ExecPlugin } from "./exec-plugin.js";
import type { Impersonation } from "./impersonation.js";
import type { OidcProvider } from "./oidc-provider.js";
import type { EnvironmentProxy } from "./proxy-settings.js";

/** How one API server is reached, with everything read and checked. */
export interface Connection {
  /** The server's address: scheme, host, port, and a path where it stands behind one. */
  readonly server: string;
  /** PEM; undefined: the system's authorities. */
  readonly caCertificate?: string;
  /** The file that `caCertificate` was read from; it is read again when it changes. */
  readonly caCertificateFile?: string;
  /** Skips the check of the server's certificate. Together with an authority it is refused, as kubectl does. */
  readonly insecureSkipTlsVerify?: boolean;
  /** The name in the server's certificate, when it is not the host of the address. */
  readonly tlsServerName?: string;
  readonly credentials: Credentials;
  /** Whom to act as. */
  readonly impersonate?: Impersonation;
  /** The proxy to this server: `http:`, `https:` or `socks5:`. Wins over the environment's. */
  readonly proxyUrl?: string;
  /** The proxies that the environment names. */
  readonly environmentProxy?: EnvironmentProxy;
  /** Asks for answers without compression: quicker on a fast network. */
  readonly disableCompression?: boolean;
  /** The namespace for names without one. */
  readonly namespace: string;
}

/** A client certificate with its key, both PEM. When both were read from files, they are read again when those change. */
export interface ClientCertificate {
  readonly certificate: string;
  readonly key: string;
  readonly certificateFile?: string;
  readonly keyFile?: string;
}

/** How a program proves who it is. A certificate beside a token is shown too; the server decides which it believes. */
export type Credentials =
  | { readonly kind: "none" }
  | { readonly kind: "token"; readonly token: string; readonly clientCertificate?: ClientCertificate }
  /**
   * Looked at again every minute and after a 401, because tokens of service accounts rotate. `token` is used while the file cannot be
   * read.
   */
  | {
      readonly kind: "tokenFile";
      readonly path: string;
      readonly token?: string;
      readonly clientCertificate?: ClientCertificate;
    }
  | ({ readonly kind: "certificate" } & ClientCertificate)
  | {
      readonly kind: "basic";
      readonly username: string;
      readonly password: string;
      readonly clientCertificate?: ClientCertificate;
    }
  | { readonly kind: "exec"; readonly plugin: ExecPlugin }
  | { readonly kind: "oidc"; readonly provider: OidcProvider; readonly clientCertificate?: ClientCertificate };
