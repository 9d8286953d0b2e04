/**
 * The Foo operator: Kubernetes' sample-controller, written with Kubewright.
 *
 * @module
 */
import { operator } from "kubewright";
import { fooController } from "./foo-controller.js";

export { Foo } from "./foo.js";
export { fooController };

/** The operator: resource, controller and permissions. Importing it starts nothing. */
export const fooOperator = operator({ name: "foo-operator", controllers: [fooController] });
