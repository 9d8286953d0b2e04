import { controller } from "kubewright";
import { ConfigMap } from "kubewright/k8s/core/v1";
import { Sample } from "./sample.js";

/**
 * Reconciles one ConfigMap per Sample with the content of the Sample.
 *
 * It watches and does not poll: a thousand idle Samples cause no requests.
 */
export const sampleController = controller(Sample, {
  owns: [ConfigMap],
  reconcile: async ({ object, apply, log }) => {
    const testString = object.testString ?? "";
    await apply(ConfigMap, {
      metadata: { name: `${object.metadata.name}-report` },
      data: { sample: object.metadata.name, testString },
    });
    log.info({ testString }, "Sample reported");
  },
});
