/**
 * `npm run demo`: the embedded cluster, the Sample and Foo operators, the reconcile loop and webhooks.
 *
 * In a terminal the live view of `kubewright dev` follows, on the same cluster, until q. With `--ci`, or when the output is not a terminal: plain text, no
 * pauses, exits after the last step. Exits with 1 when a step fails.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { startCluster } from "@kubewright/cluster";
import { type Client, createClient, isInvalid } from "kubewright";
import { migrateStored } from "kubewright/crd";
import { CustomResourceDefinition } from "kubewright/k8s/apiextensions/v1";
import { Deployment } from "kubewright/k8s/apps/v1";
import { ConfigMap, Pod } from "kubewright/k8s/core/v1";
import type { StageDetail } from "kubewright/types";
import { createWebhookHandler, installWebhooks, webhookNames } from "kubewright/webhook";
import { parse } from "yaml";
import { Foo, fooOperator } from "../../operators/foo/src/index.js";
import { Sample, sampleOperator } from "../../operators/sample/src/index.js";
import { setKubeconfig } from "../../packages/cli/src/set-kubeconfig.js";
import { DemoView } from "./live.js";
import { Narrator } from "./narrator.js";
import { until } from "./until.js";

const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..");
const { values } = parseArgs({ options: { ci: { type: "boolean", default: false } } });
const isTerminal = process.stdout.isTTY === true && !values.ci;
const output = new Narrator(isTerminal);
const view = new DemoView();

const processStartedMs = performance.now();
const webhookHandler = createWebhookHandler({ webhooks: fooOperator.webhooks, resources: [Foo] });
const service = { namespace: "default", name: webhookNames(fooOperator.name).service };
await using cluster = await startCluster({
  workloads: { nodes: 2, start: "meanwhile" },
  webhookTransport: ({ path, review, signal }) =>
    webhookHandler.handle(path, review, { signal }).then((body) => ({ status: body === undefined ? 404 : 200, body })),
});
const served = await cluster.listen();
const clusterReadyMs = performance.now() - processStartedMs;
const client = createClient(cluster.transport, { fieldManager: "demo" });

await output.step("Start a Kubernetes API server in this process");
output.done(`Listening on ${served.url}`, clusterReadyMs);

await output.step("Start two operators");
const journey: { stage: string; detail: StageDetail; atMs: number }[] = [];
const operatorsStartedMs = performance.now();
const running = await Promise.all(
  [sampleOperator, fooOperator].map((operator) =>
    operator.start({
      transport: cluster.transport,
      installCRDs: { conversionWebhook: { service: { ...service, path: "/convert" } } },
      ...(operator === fooOperator && { webhookHandler }),
      onRun: view.onRun,
      onStage: (stage, detail) => void journey.push({ stage, detail, atMs: performance.now() }),
    }),
  ),
);
await installWebhooks(fooOperator.webhooks, { client, operator: fooOperator.name, service });
output.done(
  "CRDs and webhooks of Sample and Foo installed, controllers running",
  performance.now() - operatorsStartedMs,
);

await showReconcile();
await showStages();
await showPodsReady();
await showDriftRepaired();
await showWebhooks();
await showGarbageCollection();
const kubeconfigLine = await showKubectl();

if (isTerminal) await view.show(client, [sampleOperator, fooOperator], kubeconfigLine);
for (const operator of running) await operator.stop();
rmSync(join(root, ".kubewright", "demo.kubeconfig"), { force: true });
console.log(`\n${output.paint("green", "Demo complete.")}`);

async function showReconcile(): Promise<void> {
  await output.step("Create a Sample: its controller reconciles a ConfigMap");
  output.command("kubectl apply -f operators/sample/samples/sample.yaml");
  const startedMs = performance.now();
  const sample = await applyFile(client, "operators/sample/samples/sample.yaml");
  const { name } = sample.metadata;
  await until(client, ConfigMap, `${name}-report`, (report) => report?.data?.["testString"] === sample["testString"]);
  output.done(
    `ConfigMap "${name}-report" created with testString "${String(sample["testString"])}"`,
    performance.now() - startedMs,
  );
}

async function showStages(): Promise<void> {
  await output.step("Create a Foo: its event passes the seven stages of a controller");
  output.command("kubectl apply -f operators/foo/samples/foo.yaml");
  journey.length = 0;
  const startedMs = performance.now();
  const { metadata } = await applyFile(client, "operators/foo/samples/foo.yaml");
  const key = `default/${metadata.name}`;
  await until(client, Foo, metadata.name, (foo) => foo?.status?.availableReplicas !== undefined);
  const doneMs = performance.now() - startedMs;
  const seen = new Set<string>();
  for (const { stage, detail, atMs } of journey) {
    if (seen.has(stage) || detail.key !== key) continue;
    seen.add(stage);
    await output.stage(stage, `${detail.what} ${detail.kind.split("/").pop()} ${detail.key}`, atMs - startedMs);
  }
  if (seen.size !== 7) throw new Error(`The Foo passed ${seen.size} stages instead of 7: ${[...seen].join(", ")}`);
  output.done(`Deployment "${metadata.name}" created, owned by the Foo; the Foo's status updated`, doneMs);
}

async function showPodsReady(): Promise<void> {
  await output.step("The Deployment rolls out: Pods are scheduled and become ready on simulated nodes");
  const startedMs = performance.now();
  await until(client, Foo, "example-foo", (foo) => foo?.status?.availableReplicas === 1);
  const { items } = await client.listPage(Pod, { labels: { controller: "example-foo" } });
  for (const { metadata, status, spec } of items)
    output.done(`Pod "${metadata.name}" is ${status?.phase} on ${spec?.nodeName}, IP ${status?.podIP}`);
  output.done("The Foo reports status.availableReplicas: 1", performance.now() - startedMs);
}

async function showDriftRepaired(): Promise<void> {
  await output.step("Change the Deployment: the operator repairs the drift");
  output.command("kubectl scale deployment example-foo --replicas=5");
  const startedMs = performance.now();
  const scaled = await client.patch(Deployment, "example-foo", { merge: { spec: { replicas: 5 } } });
  await until(client, Deployment, "example-foo", (deployment) => {
    return deployment?.spec.replicas === 1 && deployment.metadata.resourceVersion !== scaled.metadata.resourceVersion;
  });
  output.done("spec.replicas is 1 again", performance.now() - startedMs);
}

async function showWebhooks(): Promise<void> {
  await output.step("Webhooks complete, validate and convert Foos");
  const startedMs = performance.now();
  await client.create(Foo, { metadata: { name: "defaulted" }, spec: { deploymentName: "defaulted" } });
  const { spec } = await client.get(Foo.v1beta1, "defaulted");
  if (spec.replicas !== 1 || spec.deployment.name !== "defaulted") throw new Error("The Foo was not defaulted");
  output.done(`A Foo without replicas got 1; v1beta1: ${JSON.stringify(spec)}`, performance.now() - startedMs);
  const invalid = client.create(Foo, { metadata: { name: "invalid" }, spec: { deploymentName: "Not a name" } });
  const error = await invalid.catch((reason: unknown) => reason);
  if (!isInvalid(error)) throw new Error("The invalid Foo was accepted", { cause: error });
  for (const { field, message } of error.causes) output.done(`An invalid Foo is rejected: ${field}: ${message}`);
  await client.delete(Foo, "defaulted");
  await migrateFoos();
}

/** A Foo that an earlier release stored in v1alpha1 is stored in v1beta1. */
async function migrateFoos(): Promise<void> {
  const startedMs = performance.now();
  const name = `${Foo.plural}.${Foo.group}`;
  const storeIn = async (stored: string): Promise<void> => {
    const { spec } = await client.get(CustomResourceDefinition, name);
    const versions = spec.versions.map((version) => ({ ...version, storage: version.name === stored }));
    await client.patch(CustomResourceDefinition, name, { merge: { spec: { versions } } });
  };
  await storeIn("v1alpha1");
  const spec = { deployment: { name: "older" }, replicas: 2 };
  await client.create(Foo.v1beta1, { metadata: { name: "older" }, spec });
  await storeIn("v1beta1");
  const { from, to } = await migrateStored(Foo, { client });
  const { status } = await client.get(CustomResourceDefinition, name);
  if (!from.includes("v1alpha1") || String(status?.storedVersions) !== "v1beta1")
    throw new Error("The stored Foos were not migrated");
  output.done(`A Foo in v1beta1 is stored in v1alpha1, then migrated to ${to}`, performance.now() - startedMs);
  await client.delete(Foo, "older");
}

async function showGarbageCollection(): Promise<void> {
  await output.step("Delete a Foo: its Deployment is garbage-collected");
  const shortLived = { metadata: { name: "short-lived" }, spec: { deploymentName: "short-lived", replicas: 2 } };
  await client.create(Foo, shortLived);
  await until(client, Deployment, "short-lived", (deployment) => deployment !== undefined);
  output.command("kubectl delete foo short-lived");
  const startedMs = performance.now();
  await client.delete(Foo, "short-lived");
  await until(client, Deployment, "short-lived", (deployment) => deployment === undefined);
  output.done(`Deployment "short-lived" deleted`, performance.now() - startedMs);
}

async function showKubectl(): Promise<string> {
  await output.step("Use the same cluster with kubectl");
  const file = join(root, ".kubewright", "demo.kubeconfig");
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, served.kubeconfig, { mode: 0o600 });
  const path = relative(process.cwd(), file);
  const line = setKubeconfig(path, process.platform);
  output.command(line);
  output.command("kubectl get samples,foos,deployments,pods,nodes");
  output.command("kubectl explain foo.spec");
  output.command("kubectl edit foo example-foo");
  if (!isTerminal) output.say("(in a terminal the cluster runs on, with a live view of the runs)");
  return line;
}

/** Server-side apply of a sample, as `kubectl apply --server-side -f` sends it. */
async function applyFile(to: Client, path: string): Promise<{ metadata: { name: string }; [field: string]: unknown }> {
  const object = parse(readFileSync(join(root, path), "utf8"));
  const kind = object.kind === "Sample" ? Sample : Foo;
  await to.apply(kind, object, { fieldManager: "demo" });
  output.done(`${kind.kind.toLowerCase()}.${kind.group}/${object.metadata.name} applied`);
  return object;
}
