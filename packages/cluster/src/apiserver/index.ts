/**
 * Stage 1 of 7 · apiserver: reads requests and writes responses, over HTTPS and in process alike.
 *
 * Takes: requests. Gives: a parsed request, and finally a response or a stream of watch events.
 * Next: `../access/index.ts`
 *
 * @module
 */
export type { ApiRequest, ApiResponse } from "./api-request.js";
export type { ComputedResource, ComputedSource } from "./computed-resources.js";
export { Forwarder } from "./connect/index.js";
export { Handler, type HandlerOptions } from "./handler.js";
export { HttpsServer, type HttpsServerOptions } from "./https-server.js";
export { InProcessTransport, type InProcessUser } from "./in-process-transport.js";
export { type KubeconfigOptions, makeKubeconfig } from "./kubeconfig.js";
export type { LogSource } from "./pod-log.js";
