/** A cluster with a data folder, as a process that can be killed: `server.ts FOLDER`. Says in one line of JSON where it listens. */
import { startCluster } from "@kubewright/cluster";

const cluster = await startCluster({ dataDir: process.argv[2] ?? "" });
const { url, caCertificate, adminToken } = await cluster.listen();
process.stdout.write(`${JSON.stringify({ url, caCertificate, adminToken, revision: cluster.revision })}\n`);
