import type { Clock } from "@kubewright/core/clock";
import type { Logger } from "@kubewright/core/log";
import type { Dispatcher } from "undici";
import { CombinedCredentials } from "./combined-credentials.js";
import type { ClientCertificate, Connection } from "./connection.js";
import { type CredentialSource, fixedCredential } from "./credential.js";
import { ExecCredentials } from "./exec-credentials.js";
import type { ExecCluster, ExecPlugin } from "./exec-plugin.js";
import { certificateCredentials, TokenFileCredentials } from "./file-credentials.js";
import { OidcCredentials } from "./oidc-credentials.js";

/** Dependencies of the credential sources. */
export interface CredentialDependencies {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly signal: AbortSignal;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly stdinIsTerminal: (() => boolean) | undefined;
  readonly execTimeoutMs: number;
  /** The cluster's CA, for exec plugins. */
  readonly caCertificate: () => Promise<string | undefined>;
  readonly openIssuer: (issuerUrl: string, caCertificate: string | undefined) => Promise<Dispatcher>;
}

/** Creates the credential source of a connection. Reads and runs nothing yet. */
export function openCredentials(connection: Connection, dependencies: CredentialDependencies): CredentialSource {
  const { credentials } = connection;
  const { clock, logger, signal } = dependencies;
  switch (credentials.kind) {
    case "none":
      return fixedCredential({});
    case "certificate":
      return certificateCredentials(credentials, clock);
    case "token":
      return beside(credentials, fixedCredential({ authorization: `Bearer ${credentials.token}` }), clock);
    case "basic": {
      const pair = Buffer.from(`${credentials.username}:${credentials.password}`).toString("base64");
      return beside(credentials, fixedCredential({ authorization: `Basic ${pair}` }), clock);
    }
    case "tokenFile":
      return beside(credentials, new TokenFileCredentials(credentials, clock), clock);
    case "oidc": {
      const source = new OidcCredentials(credentials.provider, {
        clock,
        logger,
        signal,
        open: dependencies.openIssuer,
      });
      return beside(credentials, source, clock);
    }
    case "exec": {
      const { plugin } = credentials;
      return new ExecCredentials(plugin, () => clusterInfo(connection, plugin, dependencies), {
        ...dependencies,
        timeoutMs: dependencies.execTimeoutMs,
      });
    }
    default:
      return credentials satisfies never;
  }
}

function beside(
  { clientCertificate }: { readonly clientCertificate?: ClientCertificate },
  header: CredentialSource,
  clock: Clock,
): CredentialSource {
  return clientCertificate === undefined
    ? header
    : new CombinedCredentials(header, certificateCredentials(clientCertificate, clock));
}

async function clusterInfo(
  { server, tlsServerName, insecureSkipTlsVerify, proxyUrl, disableCompression }: Connection,
  { clusterConfig = null }: ExecPlugin,
  { caCertificate }: CredentialDependencies,
): Promise<ExecCluster> {
  const ca = await caCertificate();
  return {
    server,
    ...(tlsServerName !== undefined && { "tls-server-name": tlsServerName }),
    ...(insecureSkipTlsVerify === true && { "insecure-skip-tls-verify": true }),
    ...(ca !== undefined && { "certificate-authority-data": Buffer.from(ca).toString("base64") }),
    ...(proxyUrl !== undefined && { "proxy-url": proxyUrl }),
    ...(disableCompression === true && { "disable-compression": true }),
    config: clusterConfig,
  };
}
