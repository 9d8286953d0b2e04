import { startCluster } from "@kubewright/cluster";
import { FakeClock, systemClock } from "@kubewright/core/clock";
import type { Transport } from "@kubewright/core/transport";
import { findBinary, startControlPlane } from "@kubewright/testing/control-plane";
import { type Client, createClient, operator } from "kubewright";
import { CustomResourceDefinition } from "kubewright/k8s/apiextensions/v1";
import { Deployment } from "kubewright/k8s/apps/v1";
import { HttpsTransport, loadConnection } from "kubewright/transport";
import { nodeControllers, podStageDefinition } from "../../packages/cluster/src/node/index.js";
import type { Comparison } from "./comparison.js";

const deployments = 1_000;
const replicas = 5;
/** Room for all pods, at 110 each. */
const nodes = 50;
const idleMs = 20_000;

/**
 * Workloads of the embedded cluster beside kube-controller-manager and kube-scheduler, whose limits on requests are lifted, with the same simulated nodes,
 * in one run. Left out, and said so, without the real programs.
 */
export async function measureWorkloads(): Promise<Comparison[]> {
  const theirs = await theirRate();
  const ours = await ourRate();
  const virtualMs = await virtualRollout();
  const idle = await idleShare();
  return [
    {
      name: `Deployments of ${replicas} replicas, created to available`,
      unit: "1/s",
      ours,
      theirs,
      moreIsBetter: true,
      wanted: 1,
    },
    {
      name: `${deployments} of them in virtual time (10 s wanted)`,
      unit: "s",
      ours: virtualMs / 1_000,
      theirs: undefined,
      moreIsBetter: false,
      wanted: 1,
    },
    {
      name: "Idle cluster (1 wanted)",
      unit: "% of a core",
      ours: idle,
      theirs: undefined,
      moreIsBetter: false,
      wanted: 1,
    },
  ];
}

async function ourRate(): Promise<number> {
  await using cluster = await startCluster({ workloads: { nodes } });
  return await rateOf(createClient(cluster.transport));
}

async function theirRate(): Promise<number | undefined> {
  const missing = (["kube-apiserver", "kube-controller-manager", "kube-scheduler"] as const).filter(
    (name) => findBinary(name) === undefined,
  );
  if (missing.length > 0) {
    console.error(`The real control plane is not measured: ${missing.join(", ")} is missing (npm run real:install)`);
    return undefined;
  }
  const limits = ["--kube-api-qps=5000", "--kube-api-burst=10000"];
  const plane = await startControlPlane({
    controllerManager: true,
    scheduler: true,
    flags: {
      "kube-controller-manager": [...limits, "--concurrent-deployment-syncs=20", "--concurrent-replicaset-syncs=20"],
      "kube-scheduler": limits,
    },
  });
  const transport = new HttpsTransport(await loadConnection({ kubeconfig: plane.kubeconfigFile(plane.admin) }), {
    clock: systemClock,
  });
  try {
    const client = createClient(transport);
    await client.apply(CustomResourceDefinition, podStageDefinition, { fieldManager: "bench", force: true });
    const kubelets = await startKubelets(transport);
    const rate = await rateOf(client);
    await kubelets.stop();
    return rate;
  } finally {
    await transport.close();
    await plane.stop();
  }
}

/** The nodes of the embedded cluster on a real server. They taint themselves ready: the controller that would is not there. */
async function startKubelets(transport: Transport): Promise<{ stop(): Promise<void> }> {
  const { nodeLifecycleController } = await import("../../packages/cluster/src/controllers/node-lifecycle/index.js");
  const controllers = [...nodeControllers({ nodes }), nodeLifecycleController()];
  return operator({ name: "kubelets", controllers }).start({ transport, missingKinds: "wait" });
}

/** Deployments per second, from the first create to the last that is available. */
async function rateOf(client: Client): Promise<number> {
  const abort = new AbortController();
  const available = new Set<string>();
  const all = (async () => {
    // A watch that ends is opened anew, and tells of all that there are.
    for (;;)
      for await (const event of await client.watch(Deployment, { signal: abort.signal })) {
        if (event.type !== "ADDED" && event.type !== "MODIFIED") continue;
        const { metadata, status } = event.object;
        if (status?.availableReplicas === replicas) available.add(metadata.name);
        if (available.size === deployments) return;
      }
  })();
  const startedMs = performance.now();
  const names = Array.from({ length: deployments }, (_, at) => `web-${at}`);
  // As many at once as a person's tools would have under way.
  await Promise.all(
    Array.from({ length: 20 }, async () => {
      for (let name = names.pop(); name !== undefined; name = names.pop())
        await client.create(Deployment, deployment(name));
    }),
  );
  await all;
  const seconds = (performance.now() - startedMs) / 1_000;
  abort.abort();
  console.error(`${deployments} Deployments of ${replicas} available after ${seconds.toFixed(1)} s`);
  return deployments / seconds;
}

/** Milliseconds of real time until all are available in virtual time. */
async function virtualRollout(): Promise<number> {
  const clock = new FakeClock();
  await using cluster = await startCluster({ clock, workloads: { nodes } });
  const client = createClient(cluster.transport);
  const startedMs = performance.now();
  for (let at = 0; at < deployments; at++) await client.create(Deployment, deployment(`web-${at}`));
  for (let calm = 0; calm < 3; calm = cluster.idle ? calm + 1 : 0)
    await new Promise((resolve) => setImmediate(resolve));
  const tookMs = performance.now() - startedMs;
  const { items } = await client.listPage(Deployment, { pageSize: deployments } as never);
  const ready = items.filter(({ status }) => status?.availableReplicas === replicas).length;
  if (ready !== deployments) throw new Error(`In virtual time ${ready} of ${deployments} Deployments are available`);
  return tookMs;
}

/** What a cluster with nodes and some pods takes of a core when nothing happens. */
async function idleShare(): Promise<number> {
  await using cluster = await startCluster({ workloads: { nodes: 3 } });
  const client = createClient(cluster.transport);
  for (let at = 0; at < 10; at++) await client.create(Deployment, deployment(`web-${at}`));
  const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
  await pause(5_000);
  const before = process.cpuUsage();
  await pause(idleMs);
  const { user, system } = process.cpuUsage(before);
  return ((user + system) / 1_000 / idleMs) * 100;
}

function deployment(name: string) {
  const labels = { app: name };
  return {
    metadata: { name },
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: "main", image: "web:1" }] } },
    },
  };
}
