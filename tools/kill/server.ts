/** `server.ts DATA_DIR`: a cluster with a data directory, as a process that can be killed. Prints its address and credentials as one line of JSON. */
import { startCluster } from "@kubewright/cluster";

const cluster = await startCluster({ dataDir: process.argv[2] ?? "" });
const { url, caCertificate, adminToken } = await cluster.listen();
process.stdout.write(`${JSON.stringify({ url, caCertificate, adminToken, revision: cluster.revision })}\n`);
