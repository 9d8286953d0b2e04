import { may, type RawController, rawController, watch } from "kubewright";
import { APIService } from "kubewright/k8s/apiregistration/v1";
import { type MetricsApi, metricsApiVerbs } from "./metrics-api.js";
import { PodStage } from "./pod-stage.js";

/** Serves the metrics API while a PodStage defines usage. */
export function metricsServer(api: MetricsApi): RawController {
  return rawController({
    name: "metrics-server",
    uses: [may(APIService, ...metricsApiVerbs)],
    watches: [watch(PodStage, { to: () => "all" })],
    reconcile: async (context) => {
      const hasUsage = (await context.list(PodStage)).some(({ spec }) => spec?.usage !== undefined);
      await api.serveFor("PodStages", hasUsage, context);
    },
  });
}
