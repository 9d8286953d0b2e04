import { webhooks } from "kubewright";
import { Foo } from "./foo.js";

/** What Kubernetes accepts as the name of a Deployment. */
const subdomain = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;

/** Completes and validates Foos of every version: the API server converts them to v1alpha1 for the webhook. */
export const fooWebhooks = webhooks(Foo, {
  default: (foo) => {
    foo.spec.replicas ??= 1;
  },
  validate: ({ object, old, deny, warn }) => {
    const { deploymentName, replicas } = object.spec;
    if (deploymentName.length > 253 || !subdomain.test(deploymentName))
      deny("spec.deploymentName", "must consist of lower case letters, digits, dashes and dots");
    if (old !== undefined && old.spec.deploymentName !== deploymentName)
      deny("spec.deploymentName", `must not change: Deployment "${old.spec.deploymentName}" would be left behind`);
    if (replicas === 1) warn("spec.replicas is 1: the Deployment has no redundancy");
  },
});
