import { startCluster, type WorkloadOptions } from "@kubewright/cluster";
import { FakeClock } from "@kubewright/core/clock";
import { createClient, installCRDs, type Operator } from "kubewright";
import type { Backend } from "./backend.js";
import { convertersOf, inProcessWebhook } from "./conversions-of.js";
import { definedKinds } from "./defined-kinds.js";
import { YieldingTransport } from "./yielding-transport.js";

/** Starts an embedded cluster for one test, in virtual time, and installs the operator's CRDs. */
export async function startEmbeddedBackend(operator: Operator, workloads: boolean | WorkloadOptions): Promise<Backend> {
  const clock = new FakeClock();
  const cluster = await startCluster({ clock, workloads, converters: convertersOf(operator) });
  const transport = new YieldingTransport(cluster.transport);
  await installCRDs(definedKinds(operator), {
    client: createClient(transport),
    clock,
    fieldManager: "test",
    conversionWebhook: inProcessWebhook,
    includeExternal: true,
  });
  return {
    transport,
    operatorTransport: transport,
    clock,
    namespace: "default",
    isConfined: false,
    countsItself: true,
    collectsGarbage: true,
    runsPods: workloads !== false,
    busy: () => {
      if (cluster.idle) return [];
      const workload = cluster.busy();
      return workload.length > 0
        ? workload
        : ["the API server has pending requests, watch events or garbage collection"];
    },
    close: () => cluster.close(),
  };
}
