/**
 * How requests reach an API server, and how one is found.
 *
 * @module
 */
export type { Connection, Credentials } from "./connection.js";
export { HttpsTransport, type HttpsTransportOptions } from "./https-transport.js";
export { type KubeconfigSource, parseKubeconfig } from "./kubeconfig.js";
export { type LoadConnectionOptions, loadConnection } from "./load-connection.js";
