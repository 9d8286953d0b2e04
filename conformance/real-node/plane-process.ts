/** An embedded control plane in a process of its own, which can be killed: its objects are in a folder. */
import { startCluster } from "@kubewright/cluster";
import { publishApiServer } from "@kubewright/cluster/real-node";

const [host = "", dataDir = ""] = process.argv.slice(2);
const port = 6_443;

const cluster = await startCluster({
  dataDir,
  workloads: { nodes: 0 },
  enableAdmissionPlugins: ["NodeRestriction"],
});
const server = await cluster.listen({ host, port });
await publishApiServer(cluster.transport, server.url);
process.send?.({ url: server.url, caCertificate: server.caCertificate, kubeconfig: server.kubeconfig });
// Without its test it ends.
process.once("disconnect", () => process.exit(1));
