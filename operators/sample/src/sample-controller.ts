import { controller } from "kubewright";
import { ConfigMap } from "kubewright/k8s/core/v1";
import { Sample } from "./sample.js";

/**
 * Reports every Sample in a ConfigMap beside it, and keeps the report true.
 *
 * It never asks the server what there is: it is told of each change, so that a thousand idle Samples cost no request.
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
