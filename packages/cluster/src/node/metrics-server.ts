import { formatTime } from "@kubewright/core/meta";
import { isAlreadyExists, may, type RawController, rawController, watch } from "kubewright";
import { APIService } from "kubewright/k8s/apiregistration/v1";
import { PodStage } from "./pod-stage.js";
import { metricsGroup, metricsResources } from "./simulated-metrics.js";

/** Begins to serve resources that are worked out when they are asked for, until the function that it gives is called. */
export type ServeMetrics = (resources: typeof metricsResources) => () => void;

const name = `v1beta1.${metricsGroup}`;
const service = { namespace: "kube-system", name: "metrics-server" };

/** Serves metrics of pods and nodes as long as a stage says what pods use; else a cluster has none, as one without a metrics server. */
export function metricsServer(serve: ServeMetrics): RawController {
  let stop: (() => void) | undefined;
  return rawController({
    name: "metrics-server",
    uses: [may(APIService, "create", "get", "patchStatus", "delete")],
    watches: [watch(PodStage, { to: () => "all" })],
    reconcile: async ({ list, find, create, patchStatus, delete: remove, clock }) => {
      const isWanted = (await list(PodStage)).some(({ spec }) => spec?.usage !== undefined);
      if (isWanted === (stop !== undefined)) return;
      if (!isWanted) {
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
        // From before a restart.
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
