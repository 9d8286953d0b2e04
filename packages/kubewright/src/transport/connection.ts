/** How one API server is reached, with everything read and checked. */
export interface Connection {
  /** The server's address: scheme, host, port, and a path where it stands behind one. */
  readonly server: string;
  /** PEM; undefined: the system's authorities. */
  readonly caCertificate?: string;
  /** Skips the check of the server's certificate. */
  readonly insecureSkipTlsVerify?: boolean;
  /** The name in the server's certificate, when it is not the host of the address. */
  readonly tlsServerName?: string;
  readonly credentials: Credentials;
  /** The namespace for names without one. */
  readonly namespace: string;
}

/** How a program proves who it is. */
export type Credentials =
  | { readonly kind: "none" }
  | { readonly kind: "token"; readonly token: string }
  /** Read again for each new connection and every minute, because tokens of service accounts rotate. */
  | { readonly kind: "tokenFile"; readonly path: string }
  | { readonly kind: "certificate"; readonly certificate: string; readonly key: string }
  | { readonly kind: "basic"; readonly username: string; readonly password: string };
