import { formatTime } from "@kubewright/core/meta";
import { isAlreadyExists, may, type RawController, rawController, watch } from "kubewright";
import { APIService } from "kubewright/k8s/apiregistration/v1";
import { PodStage } from "./pod-stage.js";
import { metricsGroup, metricsResources } from "./simulated-metrics.js";

/** Serves metrics resources that are computed on each read. Returns a function that stops serving them. */
export type ServeMetrics = (resources: typeof metricsResources) => () => void;

const name = `v1beta1.${metricsGroup}`;
const service = { namespace: "kube-system", name: "metrics-server" };

/** Serves the metrics API while a PodStage defines usage. Otherwise the cluster has no metrics server. */
export function metricsServer(serve: ServeMetrics): RawController {
  let stop: (() => void) | undefined;
  return rawController({
    name: "metrics-server",
    uses: [may(APIService, "create", "get", "patchStatus", "delete")],
    watches: [watch(PodStage, { to: () => "all" })],
    reconcile: async ({ list, find, create, patchStatus, delete: remove, clock }) => {
      const shouldServe = (await list(PodStage)).some(({ spec }) => spec?.usage !== undefined);
      if (shouldServe === (stop !== undefined)) return;
      if (!shouldServe) {
        stop?.();
        stop = undefined;
        const registered = await find(APIService, name);
        if (registered?.spec?.service?.name === service.name) await remove(APIService, name);
        return;
      }
      stop = serve(metricsResources);
      const spec = {
        group: metricsGroup,
        version: "v1beta1",
        service,
        insecureSkipTLSVerify: true,
        groupPriorityMinimum: 100,
        versionPriority: 100,
      };
      try {
        await create(APIService, { metadata: { name, labels: { "k8s-app": "metrics-server" } }, spec });
      } catch (error) {
        // It exists from before a restart.
        if (isAlreadyExists(error)) return;
        throw error;
      }
      const condition = {
        type: "Available",
        status: "True",
        lastTransitionTime: formatTime(clock.now()),
        reason: "Passed",
        message: "all checks passed",
      };
      await patchStatus(APIService, name, { merge: { status: { conditions: [condition] } } });
    },
  });
}
