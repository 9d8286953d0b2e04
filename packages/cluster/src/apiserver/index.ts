/**
 * Requests into answers: one handler, two doors (in process, HTTPS).
 *
 * Takes: requests. Gives: answers and streams of watch events. Next: `../registry/index.ts`
 *
 * @module
 */
export type { ApiAnswer, ApiRequest } from "./api-request.js";
export type { ComputedResource, ComputedSource } from "./computed-resources.js";
export { Handler, type HandlerOptions } from "./handler.js";
export { HttpsServer, type HttpsServerOptions } from "./https-server.js";
export { InProcessTransport } from "./in-process-transport.js";
export { type KubeconfigOptions, makeKubeconfig } from "./kubeconfig.js";
export type { LogSource } from "./pod-log.js";
