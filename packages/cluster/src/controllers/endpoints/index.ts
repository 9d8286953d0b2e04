/**
 * The controllers of Endpoints and EndpointSlices.
 *
 * @module
 */
export { endpointSliceController } from "./endpoint-slice-controller.js";
export { endpointSliceMirror } from "./endpoint-slice-mirror.js";
export { endpointsController } from "./endpoints-controller.js";
