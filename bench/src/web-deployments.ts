import type { Client } from "kubewright";
import { Deployment } from "kubewright/k8s/apps/v1";

/** The number of Deployments, and their replicas. */
export const deployments = 1_000;
export const replicas = 5;
/** Enough for all pods, at 110 per node. */
export const nodes = 50;

/** A Deployment of pods without resource requests. */
export function web(name: string, count: number = replicas) {
  const labels = { app: name };
  return {
    metadata: { name },
    spec: {
      replicas: count,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: "main", image: "web:1" }] } },
    },
  };
}

/** Deployments per second, from the first create until the last is available. */
export async function rateOf(client: Client): Promise<number> {
  const abort = new AbortController();
  const available = new Set<string>();
  const all = (async () => {
    // A closed watch is restarted, and starts with all existing objects.
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
  // A typical concurrency of user tools.
  await Promise.all(
    Array.from({ length: 20 }, async () => {
      for (let name = names.pop(); name !== undefined; name = names.pop()) await client.create(Deployment, web(name));
    }),
  );
  await all;
  const seconds = (performance.now() - startedMs) / 1_000;
  abort.abort();
  console.error(`${deployments} Deployments of ${replicas} available after ${seconds.toFixed(1)} s`);
  return deployments / seconds;
}
