/** The same over HTTPS as the leader, so that the thread that renews the Lease runs. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startCluster } from "@kubewright/cluster";
import { greet } from "./greet.ts";
import { greeter } from "./greeter.ts";

const folder = mkdtempSync(join(tmpdir(), "kubewright-leader-"));
const dataDir = join(folder, "data");
const cluster = await startCluster({ dataDir });
// Definitions first: `run` installs them in the background.
await (await greeter.start({ transport: cluster.transport, installDefinitions: true })).stop();
const stop = new AbortController();
const kubeconfig = join(folder, "kubeconfig");
writeFileSync(kubeconfig, (await cluster.listen()).kubeconfig);
const ended = greeter.run({
  kubeconfig,
  leaderElection: { namespace: "default" },
  logLevel: "error",
  signal: stop.signal,
});
try {
  await greet(cluster);
} finally {
  stop.abort();
  await ended;
  await cluster.close();
  rmSync(folder, { recursive: true });
}
