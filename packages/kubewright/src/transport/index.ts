/**
 * Finds an API server (kubeconfig, service account) and sends requests to it.
 *
 * @module
 */

export type { ClientCertificate, Connection, Credentials } from "./connection.js";
export type { ExecPlugin } from "./exec-plugin.js";
export { HttpsTransport, type HttpsTransportOptions } from "./https-transport.js";
export type { Impersonation } from "./impersonation.js";
export { JoinedSignal } from "./joined-signal.js";
export { type KubeconfigSource, parseKubeconfig } from "./kubeconfig.js";
export { type LoadConnectionOptions, loadConnection } from "./load-connection.js";
export type { OidcProvider } from "./oidc-provider.js";
export type { EnvironmentProxy } from "./proxy-settings.js";
export { warningTexts } from "./warnings.js";
