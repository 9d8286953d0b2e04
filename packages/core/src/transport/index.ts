/**
 * Requests and responses, shared by the client and the embedded API server.
 *
 * @module
 */
export type { Transport, TransportRequest, TransportResponse, TransportStream } from "./transport.js";
