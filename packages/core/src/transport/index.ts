/**
 * Request and response, shared by the client and by the embedded API server.
 *
 * @module
 */
export type { Transport, TransportRequest, TransportResponse, TransportStream } from "./transport.js";
