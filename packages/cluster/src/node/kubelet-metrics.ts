import { may, type RawController, rawController, watch } from "kubewright";
import { APIService } from "kubewright/k8s/apiregistration/v1";
import { Node } from "kubewright/k8s/core/v1";
import { KubeletUsage } from "./kubelet-usage.js";
import { type MetricsApi, metricsApiVerbs } from "./metrics-api.js";
import { hasKubelet } from "./node-object.js";

/** Returns what a kubelet serves at `/metrics/resource`. Rejects if it does not respond in time. */
export type ReadKubelet = (node: string) => Promise<string>;

/** Asks the kubelets of real nodes what they measured, as metrics-server does, and serves the metrics API while there are such nodes. */
export function kubeletMetrics(api: MetricsApi, read: ReadKubelet): RawController {
  return rawController({
    name: "kubelet-metrics",
    uses: [may(APIService, ...metricsApiVerbs)],
    watches: [watch(Node, { to: (node) => (hasKubelet(node) ? node.metadata.name : undefined) })],
    reconcile: async (context) => {
      const { key: name, find, requeueAfter } = context;
      const node = await find(Node, name);
      const isReal = node !== undefined && hasKubelet(node);
      // What a kubelet that does not respond measured earlier is out of date.
      const text = isReal ? await read(name).catch(() => undefined) : undefined;
      if (text === undefined) api.usages.delete(name);
      else {
        const usage = api.usages.get(name) ?? new KubeletUsage();
        usage.update(text);
        api.usages.set(name, usage);
      }
      await api.serveFor(`node ${name}`, isReal, context);
      // The interval of metrics-server.
      if (isReal) return requeueAfter("15s");
    },
  });
}
