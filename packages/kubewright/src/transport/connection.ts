import type { ExecPlugin } from "./exec-plugin.js";
import type { Impersonation } from "./impersonation.js";
import type { OidcProvider } from "./oidc-provider.js";
import type { EnvironmentProxy } from "./proxy-settings.js";

/** How to reach one API server: the loaded and validated configuration. */
export interface Connection {
  /** The server's URL: scheme, host, port, and a base path if it has one. */
  readonly server: string;
  /** The CA bundle, PEM; undefined: the system's CAs. */
  readonly caCertificate?: string;
  /** The file that `caCertificate` was read from. It is reloaded when it changes. */
  readonly caCertificateFile?: string;
  /** Skips verification of the server's certificate. Rejected together with a CA, as in kubectl. */
  readonly insecureSkipTlsVerify?: boolean;
  /** The name to verify in the server's certificate, if it differs from the URL's host. */
  readonly tlsServerName?: string;
  readonly credentials: Credentials;
  /** The user to impersonate. */
  readonly impersonate?: Impersonation;
  /** The proxy for this server: `http:`, `https:` or `socks5:`. Takes precedence over the environment's. */
  readonly proxyUrl?: string;
  /** The proxies from the environment variables. */
  readonly environmentProxy?: EnvironmentProxy;
  /** Requests uncompressed responses, which is faster on a fast network. */
  readonly disableCompression?: boolean;
  /** The default namespace. */
  readonly namespace: string;
}

/** A client certificate with its key, both PEM. If both were read from files, they are reloaded when the files change. */
export interface ClientCertificate {
  readonly certificate: string;
  readonly key: string;
  readonly certificateFile?: string;
  readonly keyFile?: string;
}

/** How the client authenticates. A certificate beside a token is presented too; the server decides which one it uses. */
export type Credentials =
  | { readonly kind: "none" }
  | { readonly kind: "token"; readonly token: string; readonly clientCertificate?: ClientCertificate }
  /**
   * Checked every minute and after a 401, because service account tokens rotate. `token` is used while the file cannot be read.
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
