import { controller, every, isNotControlled } from "kubewright";
import { Deployment } from "kubewright/k8s/apps/v1";
import { Foo } from "./foo.js";

/** Reconciles one Deployment per Foo, owned by it, and reports its available replicas. */
export const fooController = controller(Foo, {
  name: "foo",
  fieldManager: "sample-controller",
  workers: 2,
  retryLimit: { perSecond: 50, burst: 300 },
  owns: [Deployment],
  sources: [every("30s")], // level-triggered: a missed event is repaired at the next resync
  reconcile: async ({ object, apply, status, event, log }) => {
    const { deploymentName, replicas = 1 } = object.spec;
    if (deploymentName === "") {
      log.error({}, "spec.deploymentName is empty; waiting for a change");
      return;
    }
    const labels = { app: "nginx", controller: object.metadata.name };
    const deployment = await apply(Deployment, {
      metadata: { name: deploymentName },
      spec: {
        replicas,
        selector: { matchLabels: labels },
        template: {
          metadata: { labels },
          spec: { containers: [{ name: "nginx", image: "nginx:latest" }] },
        },
      },
    }).catch((error: unknown) => {
      if (isNotControlled(error)) {
        event("Warning", "ErrResourceExists", `Resource "${deploymentName}" already exists and is not managed by Foo`);
      }
      throw error;
    });
    status.availableReplicas = deployment.status?.availableReplicas ?? 0;
    event("Normal", "Synced", "Foo synced successfully");
  },
});
