/**
 * The Sample operator: the smallest one that observes, compares and acts.
 *
 * @module
 */
import { operator } from "kubewright";
import { sampleController } from "./sample-controller.js";

export { Sample } from "./sample.js";
export { sampleController };

/** Definition, controller and permissions together. Importing it starts nothing. */
export const sampleOperator = operator({ name: "sample-operator", controllers: [sampleController] });
