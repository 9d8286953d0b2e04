/**
 * Prints the time of a create in process of a custom resource with one webhook in process; the peer is one without webhooks. Runs as plain
 * JavaScript with built packages, as for a user.
 */
import { type Cluster, startCluster, type WebhookTransport } from "@kubewright/cluster";
import { systemClock } from "@kubewright/core/clock";
import { createClient, installCRDs, type Webhook, webhooks } from "kubewright";
import { createWebhookHandler, installWebhooks } from "kubewright/webhook";
import type { Comparison } from "./comparison.js";
import { type Creates, compareCreates } from "./creates.js";
import { Widget, widgetNamed } from "./widget.js";

/** A webhook may make a create in process so many times slower. */
const slower = 1.5;
const service = { namespace: "default", name: "bench-webhook-service" };

const cases: readonly (readonly [string, Webhook])[] = [
  [
    "one validating webhook",
    webhooks(Widget, {
      validate: ({ object, deny }) => {
        if ((object.spec.replicas ?? 1) > 100) deny("spec.replicas", "must be at most 100");
      },
    }),
  ],
  [
    "one mutating webhook",
    webhooks(Widget, {
      default: (widget) => {
        widget.spec.settings = { ...widget.spec.settings, ZONE: "a" };
      },
    }),
  ],
  [
    "one mutating webhook that changes nothing",
    webhooks(Widget, {
      default: (widget) => {
        widget.spec.replicas ??= 1;
      },
    }),
  ],
];

async function startWithWebhooks(given: readonly Webhook[]): Promise<Cluster> {
  const handler = createWebhookHandler({ webhooks: given });
  const webhookTransport: WebhookTransport = async (request) => {
    const { path, review } = request;
    const body = await handler.handle(path, review, request);
    return body === undefined ? { status: 404, body: {} } : { status: 200, body };
  };
  const cluster = await startCluster({ workloads: false, webhookTransport });
  const client = createClient(cluster.transport);
  await installCRDs([Widget], { client, clock: systemClock, fieldManager: "bench" });
  await installWebhooks(given, { client, operator: "bench", service });
  return cluster;
}

async function widgetsWith(given: readonly Webhook[]): Promise<Creates> {
  return {
    cluster: await startWithWebhooks(given),
    path: "/apis/bench.kubewright.dev/v1/namespaces/default/widgets",
    objectNamed: (name) => ({ apiVersion: "bench.kubewright.dev/v1", kind: "Widget", ...widgetNamed(name) }),
  };
}

const comparisons: Comparison[] = [];
for (const [name, webhook] of cases) {
  const [ours, without] = [await widgetsWith([webhook]), await widgetsWith([])];
  comparisons.push(await compareCreates(`create with ${name}`, ours, without, 1 / slower));
  for (const { cluster } of [ours, without]) await cluster.close();
}
process.stdout.write(JSON.stringify(comparisons));
