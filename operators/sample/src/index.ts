/**
 * The Sample operator: a minimal reconcile loop.
 *
 * @module
 */
import { operator } from "kubewright";
import { sampleController } from "./sample-controller.js";

export { Sample } from "./sample.js";
export { sampleController };

/** The operator: resource, controller and permissions. Importing it starts nothing. */
export const sampleOperator = operator({ name: "sample-operator", controllers: [sampleController] });
