import { startCluster } from "@kubewright/cluster";
import { FakeClock } from "@kubewright/core/clock";
import type { Transport } from "@kubewright/core/transport";
import { createClient, installCRDs, type Operator } from "kubewright";
import { seededRandom } from "../random/index.js";
import type { Backend, BackendOptions } from "./backend.js";
import { convertersOf, inProcessWebhook } from "./conversions-of.js";
import { definedKinds } from "./defined-kinds.js";
import { InProcessWebhooks } from "./in-process-webhooks.js";
import { kubeconfigFile } from "./kubeconfig-file.js";
import { createAccount } from "./operator-account.js";
import { YieldingTransport } from "./yielding-transport.js";

/** Starts an embedded cluster for one test, in virtual time, and installs the operators' CRDs. */
export async function startEmbeddedBackend(
  operators: readonly Operator[],
  { workloads, seed, webhooks, rulesOf }: BackendOptions,
): Promise<Backend> {
  const clock = new FakeClock();
  const random = seed === undefined ? undefined : seededRandom(seed);
  const converters = new Map(operators.flatMap((operator) => [...convertersOf(operator)]));
  const admission = new InProcessWebhooks(webhooks ? operators : [], clock);
  const webhookTransport = admission.transport;
  const cluster = await startCluster({
    clock,
    workloads,
    converters,
    webhookTransport,
    // OpenShift enables it: an operator without these permissions fails there.
    enableAdmissionPlugins: ["OwnerReferencesPermissionEnforcement"],
    ...(random && { random }),
  });
  const removals: (() => Promise<void>)[] = [];
  const transport = new YieldingTransport(cluster.transport);
  const client = createClient(transport);
  await installCRDs(operators.flatMap(definedKinds), {
    client,
    clock,
    fieldManager: "test",
    conversionWebhook: inProcessWebhook,
    includeExternal: true,
  });
  await admission.install(client);
  const namespace = "default";
  const accounts = new Map<Operator, Transport>();
  for (const operator of operators) {
    // Not confined: tests may create objects in any namespace.
    const account = { namespace, rules: rulesOf(operator), isConfined: false, clusterName: operator.name };
    await createAccount(createClient(transport, { namespace }), operator, account);
    accounts.set(operator, new YieldingTransport(cluster.asServiceAccount(`${namespace}/${operator.name}`)));
  }
  return {
    transport,
    operatorTransport: (operator) => accounts.get(operator) ?? transport,
    clock,
    namespace,
    isConfined: false,
    countsItself: true,
    collectsGarbage: true,
    runsPods: workloads !== false,
    ...(random && { random }),
    async listen() {
      const { url, kubeconfig } = await cluster.listen();
      const { path, remove } = await kubeconfigFile(kubeconfig);
      removals.push(remove);
      return { url, kubeconfig: path };
    },
    webhookHandler: (operator) => admission.handlerOf(operator),
    snapshot: async () => cluster.snapshot(),
    restore: (snapshot) => cluster.restore(snapshot),
    busy: () => {
      if (cluster.idle) return [];
      const workload = cluster.busy();
      return workload.length > 0
        ? workload
        : ["the API server has pending requests, watch events or garbage collection"];
    },
    close: async () => {
      await cluster.close();
      for (const remove of removals) await remove();
    },
  };
}
