/**
 * The Foo operator: Kubernetes' sample-controller, written with Kubewright.
 *
 * @module
 */
import { operator } from "kubewright";
import { fooController } from "./foo-controller.js";
import { fooWebhooks } from "./foo-webhooks.js";

export { Foo } from "./foo.js";
export { fooController, fooWebhooks };

/** The operator: resource, controller, webhooks and permissions. Importing it starts nothing. */
export const fooOperator = operator({ name: "foo-operator", controllers: [fooController], webhooks: [fooWebhooks] });
