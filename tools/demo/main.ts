/**
 * `npm run demo`: the embedded cluster, the Sample and Foo operators, and the loop at work.
 *
 * `--ci`, or output that is no terminal: plain, without pauses, ends when the story is told. Ends with 1 when something does not happen.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { startCluster } from "@kubewright/cluster";
import { type Client, createClient } from "kubewright";
import { Deployment } from "kubewright/k8s/apps/v1";
import { ConfigMap, Pod } from "kubewright/k8s/core/v1";
import type { TraceDetail } from "kubewright/types";
import { parse } from "yaml";
import { Foo, fooOperator } from "../../operators/foo/src/index.js";
import { Sample, sampleOperator } from "../../operators/sample/src/index.js";
import { Narrator } from "./narrator.js";
import { until } from "./until.js";

const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..");
const { values } = parseArgs({ options: { ci: { type: "boolean", default: false } } });
const isTerminal = process.stdout.isTTY === true && !values.ci;
const story = new Narrator(isTerminal);

const processStartedMs = performance.now();
await using cluster = await startCluster({ workloads: { nodes: 2, start: "meanwhile" } });
const served = await cluster.listen();
const clusterReadyMs = performance.now() - processStartedMs;
const client = createClient(cluster.transport, { fieldManager: "demo" });

await story.step("A Kubernetes API server, in this process");
story.done(`Serves ${served.url}`, clusterReadyMs);

await story.step("Two operators");
const journey: { stage: string; detail: TraceDetail; atMs: number }[] = [];
const operatorsStartedMs = performance.now();
const running = await Promise.all(
  [sampleOperator, fooOperator].map((operator) =>
    operator.start({
      transport: cluster.transport,
      installCRDs: true,
      trace: (stage, detail) => void journey.push({ stage, detail, atMs: performance.now() }),
    }),
  ),
);
story.done("Definitions of Sample and Foo installed, controllers watch", performance.now() - operatorsStartedMs);

await showTheLoop();
await showTheSevenStages();
await showPodsAvailable();
await showDriftRepaired();
await showDeletionCleanedUp();
await showKubectl();

if (isTerminal) {
  story.say("\nCtrl-C ends the demo.");
  await new Promise<void>((resolve) => process.once("SIGINT", resolve).once("SIGTERM", resolve));
}
for (const operator of running) await operator.stop();
rmSync(join(root, ".kubewright", "demo.kubeconfig"), { force: true });
console.log(`\n${story.paint("green", "The demo is done.")}`);

async function showTheLoop(): Promise<void> {
  await story.step("Observe, compare, act: a Sample is reported");
  story.command("kubectl apply -f operators/sample/samples/sample.yaml");
  const startedMs = performance.now();
  const sample = await applyFile(client, "operators/sample/samples/sample.yaml");
  const { name } = sample.metadata;
  await until(client, ConfigMap, `${name}-report`, (report) => report?.data?.["testString"] === sample["testString"]);
  story.done(`ConfigMap "${name}-report" says "${String(sample["testString"])}"`, performance.now() - startedMs);
}

async function showTheSevenStages(): Promise<void> {
  await story.step("A Foo names a Deployment: one object on its way through the seven stages");
  story.command("kubectl apply -f operators/foo/samples/foo.yaml");
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
    await story.stage(stage, `${detail.what} ${detail.kind.split("/").pop()} ${detail.key}`, atMs - startedMs);
  }
  if (seen.size !== 7) throw new Error(`The Foo passed ${seen.size} stages instead of seven: ${[...seen].join(", ")}`);
  story.done(`Deployment "${metadata.name}" is there, owned by the Foo, whose status says so`, doneMs);
}

async function showPodsAvailable(): Promise<void> {
  await story.step("The Deployment becomes pods, which are scheduled and become ready on simulated nodes");
  const startedMs = performance.now();
  await until(client, Foo, "example-foo", (foo) => foo?.status?.availableReplicas === 1);
  const { items } = await client.listPage(Pod, { labels: { controller: "example-foo" } });
  for (const { metadata, status, spec } of items)
    story.done(`Pod "${metadata.name}" is ${status?.phase} on ${spec?.nodeName} with ${status?.podIP}`);
  story.done("The Foo's status says that one replica is available", performance.now() - startedMs);
}

async function showDriftRepaired(): Promise<void> {
  await story.step("A change behind the operator's back is repaired");
  story.command("kubectl scale deployment example-foo --replicas=5");
  const startedMs = performance.now();
  const scaled = await client.patch(Deployment, "example-foo", { merge: { spec: { replicas: 5 } } });
  await until(client, Deployment, "example-foo", (deployment) => {
    return deployment?.spec.replicas === 1 && deployment.metadata.resourceVersion !== scaled.metadata.resourceVersion;
  });
  story.done("Back to 1 replica", performance.now() - startedMs);
}

async function showDeletionCleanedUp(): Promise<void> {
  await story.step("What owns goes, what is owned goes with it");
  const doomed = { metadata: { name: "short-lived" }, spec: { deploymentName: "short-lived", replicas: 2 } };
  await client.create(Foo, doomed);
  await until(client, Deployment, "short-lived", (deployment) => deployment !== undefined);
  story.command("kubectl delete foo short-lived");
  const startedMs = performance.now();
  await client.delete(Foo, "short-lived");
  await until(client, Deployment, "short-lived", (deployment) => deployment === undefined);
  story.done(`Deployment "short-lived" was collected`, performance.now() - startedMs);
}

async function showKubectl(): Promise<void> {
  await story.step("The same cluster with kubectl");
  const file = join(root, ".kubewright", "demo.kubeconfig");
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, served.kubeconfig, { mode: 0o600 });
  story.command(`export KUBECONFIG=${relative(process.cwd(), file)}`);
  story.command("kubectl get samples,foos,deployments,pods,nodes");
  story.command("kubectl explain foo.spec");
  story.command("kubectl edit foo example-foo");
  if (!isTerminal) story.say("(in a terminal the cluster now stays until Ctrl-C)");
}

/** Server-side apply of a sample, as `kubectl apply --server-side -f` would send it. */
async function applyFile(to: Client, path: string): Promise<{ metadata: { name: string }; [field: string]: unknown }> {
  const object = parse(readFileSync(join(root, path), "utf8"));
  const kind = object.kind === "Sample" ? Sample : Foo;
  await to.apply(kind, object, { fieldManager: "demo" });
  story.done(`${kind.kind.toLowerCase()}.${kind.group}/${object.metadata.name} applied`);
  return object;
}
