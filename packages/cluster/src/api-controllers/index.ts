/**
 * The controllers of the API server itself: CustomResourceDefinitions, namespace deletion, garbage collection, ClusterRole aggregation.
 *
 * Takes: changes from `storage`. Gives: writes through `registry`.
 *
 * @module
 */
export { ApiControllers } from "./api-controllers.js";
