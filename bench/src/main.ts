/**
 * `npm run bench`: prints a table with the ratio to the slowest line of each group. `-o json` prints JSON; `cluster-start`, `client`,
 * `definitions`, `cel`, `reads`, `access`, `flood`, `first-hour`, `etcd`, `webhook-creates`, `webhooks`, `cluster`, `runtime`, `workloads` or `real-node` runs only
 * that one. The last twelve run only when named, and the last five take minutes.
 *
 * `npm run bench -- runtime --only latency` measures one row of the runtime.
 *
 * `npm run bench -- cluster --against main~1 --runs 5` measures this tree and another commit in alternating runs instead.
 */
import { parseArgs } from "node:util";
import { measureAccess } from "./access.js";
import { compareWithCommit } from "./against.js";
import { measureCel } from "./cel.js";
import { measureClient } from "./client.js";
import { measureCluster } from "./cluster.js";
import { measureClusterStart } from "./cluster-start.js";
import { comparisonTable } from "./comparison.js";
import { measureDefinitions } from "./definitions.js";
import { measureEtcd } from "./etcd.js";
import { measureFirstHour } from "./first-hour.js";
import { measureFlood } from "./flood.js";
import type { Figure } from "./measure.js";
import { measureReads } from "./reads.js";
import { measureRealNode } from "./real-node.js";
import { measureRuntime } from "./runtime.js";
import { measureWebhookCreates, measureWebhooks } from "./webhooks.js";
import { measureWorkloads } from "./workloads.js";

const { values, positionals } = parseArgs({
  options: {
    output: { type: "string", short: "o", default: "text" },
    against: { type: "string" },
    runs: { type: "string", default: "5" },
    only: { type: "string" },
  },
  allowPositionals: true,
});
if (values.against !== undefined) {
  compareWithCommit({ commit: values.against, measurements: positionals, runs: Number(values.runs) });
  process.exit();
}
const isSelected = (name: string): boolean => positionals.length === 0 || positionals.includes(name);
const groups: Record<string, Figure[]> = {
  ...(isSelected("cluster-start") && { "Start of a cluster": await measureClusterStart() }),
  ...(isSelected("client") && (await measureClient())),
  ...(isSelected("definitions") && (await measureDefinitions())),
};
const tables = [
  ...(positionals.includes("cel") ? (await measureCel()).map((table) => ({ title: "CEL rules", ...table })) : []),
  ...(positionals.includes("reads")
    ? [{ title: "Tracked reads of 50,000 objects", peer: "-", comparisons: measureReads() }]
    : []),
  ...(positionals.includes("flood") ? (await measureFlood()).map((table) => ({ title: "Flood", ...table })) : []),
  ...(positionals.includes("first-hour")
    ? [{ title: "The first hour", peer: "limit", comparisons: await measureFirstHour() }]
    : []),
  ...(positionals.includes("etcd")
    ? [{ title: "The etcd operator", peer: "limit", comparisons: await measureEtcd() }]
    : []),
  ...(positionals.includes("access")
    ? [{ title: "Authorization with 1,000 bindings", peer: "limit", comparisons: measureAccess() }]
    : []),
  ...(positionals.includes("cluster")
    ? [{ title: "Cluster", peer: "kube-apiserver", comparisons: await measureCluster() }]
    : []),
  ...(positionals.includes("runtime")
    ? [{ title: "Operator", peer: "controller-runtime", comparisons: await measureRuntime(values.only) }]
    : []),
  ...(positionals.includes("webhooks")
    ? [{ title: "Webhooks", peer: "controller-runtime", comparisons: await measureWebhooks() }]
    : []),
  ...(positionals.includes("webhook-creates")
    ? [{ title: "Creates in process", peer: "without webhooks", comparisons: await measureWebhookCreates() }]
    : []),
  ...(positionals.includes("real-node")
    ? [{ title: "One-node cluster", peer: "the real control plane", comparisons: await measureRealNode() }]
    : []),
  ...(positionals.includes("workloads")
    ? [{ title: "Workloads", peer: "kube-controller-manager", comparisons: await measureWorkloads() }]
    : []),
];
const comparisons = tables.flatMap((table) => table.comparisons);
if (values.output === "json")
  console.log(JSON.stringify({ ...groups, ...(comparisons.length > 0 && { comparisons }) }));
else for (const [title, figures] of Object.entries(groups)) print(title, figures);

if (values.output !== "json") {
  for (const { title, peer, comparisons } of tables) console.log(`\n${comparisonTable(title, peer, comparisons)}`);
}

function print(title: string, figures: readonly Figure[]): void {
  const slowest = Math.max(...figures.map(({ medianMs }) => medianMs));
  console.log(`\n${title} (Node ${process.versions.node}, ms)`);
  console.log(
    `${"".padEnd(64)}${["median", "min", "max", "runs", "faster"].map((head) => head.padStart(10)).join("")}`,
  );
  for (const { name, medianMs, minMs, maxMs, runs } of figures) {
    const cells = [
      medianMs.toFixed(1),
      minMs.toFixed(1),
      maxMs.toFixed(1),
      String(runs),
      `${(slowest / medianMs).toFixed(1)}x`,
    ];
    console.log(`${name.padEnd(64)}${cells.map((cell) => cell.padStart(10)).join("")}`);
  }
}
