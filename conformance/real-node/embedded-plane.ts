import { startCluster } from "@kubewright/cluster";
import { type NodePlace, publishApiServer } from "@kubewright/cluster/real-node";
import type { JoinablePlane } from "./joinable-plane.js";

/** The embedded cluster without simulated nodes, for the node of this place. */
export async function startEmbeddedPlane({ hostAddress }: NodePlace): Promise<JoinablePlane> {
  const cluster = await startCluster({ workloads: { nodes: 0 }, enableAdmissionPlugins: ["NodeRestriction"] });
  const { kubeconfig } = await cluster.listen({ names: [hostAddress] });
  const server = await cluster.listen({ host: hostAddress });
  await publishApiServer(cluster.transport, server.url);
  return { server, kubeconfig, transport: cluster.transport, stop: () => cluster.close() };
}
