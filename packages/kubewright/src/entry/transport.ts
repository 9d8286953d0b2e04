/**
 * How requests reach an API server: kubeconfig, credentials, HTTPS.
 *
 * @module
 */
export {
  type ClientCertificate,
  type Connection,
  type Credentials,
  type EnvironmentProxy,
  type ExecPlugin,
  HttpsTransport,
  type HttpsTransportOptions,
  type Impersonation,
  type KubeconfigSource,
  type LoadConnectionOptions,
  loadConnection,
  type OidcProvider,
  parseKubeconfig,
} from "../transport/index.js";
