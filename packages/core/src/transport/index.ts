/**
 * Requests and responses, shared by the client and the embedded API server.
 *
 * @module
 */
export type {
  Transport,
  TransportConnection,
  TransportRequest,
  TransportResponse,
  TransportSocket,
  TransportStream,
  TransportUpgrade,
} from "./transport.js";
export { upgrade } from "./transport.js";
