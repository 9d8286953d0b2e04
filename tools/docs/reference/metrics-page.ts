import { startCluster } from "@kubewright/cluster";
import { createMetrics } from "kubewright/metrics";

/** A metric of a page in the Prometheus text format. */
interface Metric {
  readonly name: string;
  readonly type: string;
  readonly help: string;
  readonly labels: readonly string[];
}

/** `docs/reference/metrics.md`: what an operator and the embedded cluster serve. */
export async function metricsPage(): Promise<string> {
  const operator = metricsIn(await operatorMetrics());
  const isProcess = ({ name }: Metric): boolean => /^(process|nodejs)_/.test(name);
  const cluster = metricsIn(await clusterMetrics());
  return `# Metrics

After this page you know every metric that an operator and the embedded cluster serve. [Running an operator](../guides/running.md#metrics) explains how to serve them, and
[docs/monitoring](../monitoring) has a dashboard and alerts.

## Of an operator

Names with \`controller_runtime\`, \`workqueue\`, \`rest_client\` and \`leader_election\` are those of controller-runtime and client-go.

${table(operator.filter((metric) => !isProcess(metric)))}

Metrics of its process, \`process_*\` and \`nodejs_*\`, are prom-client's default metrics; which there are depends on the operating system.

## Of the embedded cluster

${table(cluster.filter((metric) => !isProcess(metric)))}
`;
}

/** With one series of each metric, so that its labels are in the text. */
async function operatorMetrics(): Promise<string> {
  const metrics = await createMetrics();
  const controller = metrics.controller("website", 1);
  controller.runStarted();
  controller.runEnded("success", 1);
  controller.fieldConflict("Deployment", "kubectl");
  controller.queueObserver.taken("a", 1);
  controller.queueObserver.done("a", 1);
  controller.watchFailing(() => 0);
  controller.watchQueue({ lengths: new Map([[0, 0]]), longestRunningMs: 0, unfinishedWorkMs: 0 });
  metrics.requestEnded("GET", "localhost", "200", 1);
  metrics.taskFailed("report");
  metrics.webhook("/validate").requestEnded(200, 1);
  const activity = { expired: 0, relists: 0, watchRestarts: 0, lastEventAgeMs: 0 };
  metrics.watchCaches(() => [{ kind: "Website", objects: 0, bytes: 0, ...activity }]);
  metrics.watchConditions(() => [{ kind: "Website", type: "Ready", status: "True", reason: "Available", objects: 1 }]);
  metrics.watchLeader("website", () => true);
  metrics.watchShards("website", () => 1);
  metrics.watchCertificate("website", () => 1);
  const text = await metrics.text();
  metrics.close();
  return text;
}

async function clusterMetrics(): Promise<string> {
  await using cluster = await startCluster();
  const { transport } = cluster;
  const aborting = new AbortController();
  await transport.send({ method: "GET", path: "/api/v1/namespaces/default" });
  await transport.stream({ method: "GET", path: "/api/v1/pods", query: { watch: "true" }, signal: aborting.signal });
  const { body } = await transport.send({ method: "GET", path: "/metrics" });
  aborting.abort();
  return String(body);
}

function metricsIn(text: string): Metric[] {
  const metrics = [...text.matchAll(/^# HELP (\S+) (.+)\n# TYPE \S+ (\S+)$/gm)].map(
    ([, name = "", help = "", type = ""]) => {
      const series = new RegExp(`^${name}(?:_bucket|_sum|_count)?\\{([^}]*)\\}`, "gm");
      const labels = [...text.matchAll(series)].flatMap(([, all = ""]) =>
        [...all.matchAll(/(\w+)="/g)].map(([, label = ""]) => label),
      );
      return { name, type, help, labels: [...new Set(labels)].filter((label) => label !== "le").toSorted() };
    },
  );
  return metrics.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

function table(metrics: readonly Metric[]): string {
  const rows = metrics.map(({ name, type, help, labels }) => {
    const shown = labels.map((label) => `\`${label}\``).join(", ");
    return `| \`${name}\` | ${type} | ${shown} | ${help.replace(/\.$/, "")} |`;
  });
  return ["| Metric | Type | Labels | Meaning |", "|---|---|---|---|", ...rows].join("\n");
}
